import { fileURLToPath } from 'node:url';
import { checkSendable, type Fields } from '../../header-fields.js';
import { baseUrlOf } from '../../provider-address.js';
import { type TokenOption, tokenOf } from '../../token-option.js';
import { invalidOption } from '../../toolkit-error.js';
import type { BrokerOptions } from './broker.js';
import { type StateHandlers, statesWithoutHelp } from './state-handlers.js';

/** How a provider is verified. */
export interface VerifyOptions {
  /** Where the provider is: the paths of pacts are appended to its own path. */
  readonly baseUrl: string | URL;
  /** A token that the provider accepts: it is sent wherever a pact has one, and nowhere else. */
  readonly token: TokenOption;
  /**
   * Files, folders and URLs of pacts. Default: the pact of the reference client, unless a broker is asked. A folder
   * gives every `.json` file in it.
   */
  readonly pacts?: readonly string[];
  /** A broker that is asked for pacts instead. */
  readonly broker?: BrokerOptions;
  /** The name that the pacts have for the provider. Default `plant-store`; a pact of another is an error. */
  readonly provider?: string;
  /**
   * What brings about provider states, by name. Default: {@link statesWithoutHelp}, which needs nothing from the
   * provider; handlers that are given stand before it.
   */
  readonly states?: StateHandlers;
  /** A URL of the provider that brings states about, as Pact's own verifiers call it; instead of handlers. */
  readonly stateUrl?: string | URL;
  /** Whether each answer is held against the interface as well. Default true. */
  readonly validate?: boolean;
  /** How long a request may take, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** Further header fields of every request, such as the key of a gateway. They appear in no report. */
  readonly headers?: Fields;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
  /** Whether any certificate is taken. Default false. */
  readonly insecure?: boolean;
  /** Stops the verification, which then throws. */
  readonly signal?: AbortSignal;
  /** Told what Pact prints, when the verification has ended. */
  readonly onPactOutput?: (text: string) => void;
}

/** Options with their defaults, made sure of. */
export interface VerifySettings {
  readonly baseUrl: string;
  readonly token: string;
  readonly pacts: readonly string[];
  readonly broker: BrokerOptions | undefined;
  readonly provider: string;
  readonly states: StateHandlers;
  readonly stateUrl: string | undefined;
  readonly validate: boolean;
  readonly timeoutMs: number;
  readonly headers: Fields;
  readonly ca: string | undefined;
  readonly insecure: boolean;
  readonly onPactOutput: (text: string) => void;
}

/** The pact of the reference client, which this package brings. */
export const SHIPPED_PACT = fileURLToPath(
  new URL('../../../pacts/plant-store-client-plant-store.json', import.meta.url),
);

const LONGEST_TIMEOUT_MS = 30_000;

/** @throws ToolkitError `invalid-option`, with a sentence that names the option */
export async function verifySettings(options: VerifyOptions): Promise<VerifySettings> {
  const { timeoutMs = 5_000, headers = [], provider = 'plant-store', broker, states, stateUrl } = options;
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_TIMEOUT_MS)
    throw invalidOption(`the time-out of a request must be 1 to ${LONGEST_TIMEOUT_MS} ms`);
  if (states !== undefined && stateUrl !== undefined)
    throw invalidOption('states are brought about by handlers or by a URL, and not by both');
  if (broker !== undefined && options.pacts !== undefined)
    throw invalidOption('pacts come from files and URLs or from a broker, and not from both');
  for (const [name, value] of headers) checkHeader(name, value);
  return {
    ...{ timeoutMs, headers, provider, broker },
    baseUrl: baseUrlOf(options.baseUrl),
    token: await tokenOf(options.token),
    pacts: options.pacts ?? [SHIPPED_PACT],
    states: { ...statesWithoutHelp, ...states },
    stateUrl: stateUrl === undefined ? undefined : httpUrl('the state URL', stateUrl),
    validate: options.validate ?? true,
    ca: options.ca,
    insecure: options.insecure ?? false,
    onPactOutput: options.onPactOutput ?? (() => {}),
  };
}

function httpUrl(what: string, text: string | URL): string {
  if (URL.canParse(String(text)) && /^https?:$/.test(new URL(text).protocol)) return String(text);
  throw invalidOption(`${what} must begin with http:// or https://; got ${JSON.stringify(String(text))}`);
}

function checkHeader(name: string, value: string): void {
  if (/^(?:authorization|host|content-length|content-type|transfer-encoding|connection)$/i.test(name))
    throw invalidOption(`the header "${name}" cannot be set: pacts say what it is`);
  checkSendable(name, value);
}
