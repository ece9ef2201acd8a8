import { randomBytes } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { definedOnly } from '../../defined-only.js';
import { baseUrlOf, urlOf } from '../../http/address.js';
import { readWithin } from '../../http/collected-bytes.js';
import type { RequestHead } from '../../http/exchange.js';
import { type Fields, fieldsFrom, headerValues } from '../../http/fields.js';
import { endToEnd } from '../../http/framing.js';
import { limits } from '../../http/limits.js';
import {
  type ReceivedResponse,
  type Route,
  type RouteOptions,
  routeTo,
  sendRequest,
} from '../../http/route.js';
import { type TokenOption, tokenOf } from '../../http/token.js';
import { operation } from '../../spec/operation.js';
import type { NewPlant } from '../../spec/types.js';
import { checkInteger, invalidOption, reasonOf } from '../../toolkit-error.js';
import { decodeContent } from '../../validation/content-coding.js';
import { readJson, replacedAt, writeJson } from '../../validation/json.js';
import { type JsonValue, objectOf } from '../../validation/json-value.js';
import { PROVIDER } from '../pacts.js';
import { freshIdLike, idFrom, idParameter, integerOf, isInt64, providerStates } from '../states.js';

/** The values of a provider state, as Pact inserts them into a request. */
export type StateValues = Readonly<Record<string, string | number | boolean | null>>;

/** Sets a state up, or tears it down, as Pact calls it. It may return values for Pact's generators (`fromProviderState`). */
export type StateFunction = (
  params: StateParameters,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler may return nothing
) => StateValues | void | Promise<StateValues | void>;

/** The parameters of a state, as Pact reads them: with numbers as doubles. */
export interface StateParameters {
  // biome-ignore lint/suspicious/noExplicitAny: the pact decides them, and they are for the user's own code
  readonly [name: string]: any;
}

/**
 * How a state comes about: a function that sets it up, both functions, or the name of a state of {@link providerStates} that
 * means the same.
 */
export type StateHandler =
  | StateFunction
  | { readonly setup?: StateFunction; readonly teardown?: StateFunction }
  | (typeof providerStates)[keyof typeof providerStates];

/** Options of {@link pactVerifierOptions}. */
export interface PactVerifierSettings extends RouteOptions {
  /** The base URL of the provider. The paths of the pacts are appended to its own path. */
  readonly baseUrl: string | URL;
  /** A token that the provider accepts. It replaces the tokens of the pacts. It is sent only if a pact has a token. */
  readonly token: TokenOption;
  /** Provider states by name, besides those of {@link providerStates}, or instead of them. */
  readonly states?: Readonly<Record<string, StateHandler>>;
  /** The name of the provider in the pacts. Default `plant-store`. */
  readonly provider?: string;
  /** The time limit for a request to the provider, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
}

/** A request as Express gives it to a filter of Pact. */
type FilteredRequest = Parameters<PactVerifierOptions['requestFilter']>[0];

/** What Pact calls for a state. */
type PactStateHandler = Record<'setup' | 'teardown', (params?: JsonValue) => Promise<unknown>>;

/** Options of Pact's `Verifier`, to spread into those of your own. */
export interface PactVerifierOptions {
  readonly provider: string;
  readonly providerBaseUrl: string;
  readonly failIfNoPactsFound: true;
  /** An object with `setup` and `teardown` for each state. Pact's type also wants a function, for messages. */
  // biome-ignore lint/suspicious/noExplicitAny: Pact's own types for states
  readonly stateHandlers: Record<string, any>;
  readonly requestFilter: (
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
    next: () => void,
  ) => Promise<void>;
}

/**
 * What Pact's `Verifier` cannot know of a plant store, as options for it. The states of {@link providerStates} need no help
 * from the provider. A request goes to the provider with the right token and with a fresh id, and all its other bytes stay as
 * the pact has them. What would pass by accident fails: an unknown state, a state that cannot be set up, a message, and a
 * provider that accepts no plain plant.
 *
 * @param options where the provider is, a token that it accepts, and states of your own
 * @returns options to spread. Add what Pact verifies: `pactUrls`, or `pactBrokerUrl` with Pact's other options of a broker
 * @throws ToolkitError `invalid-option`, which names the option
 * @example
 * import assert from 'node:assert/strict';
 * import { pactVerifierOptions } from 'plant-store-contract/pact';
 *
 * const options = pactVerifierOptions({
 *   baseUrl: 'http://localhost:3000',
 *   token: 'secret',
 *   states: { 'the shop is open': () => ({ until: 'tomorrow' }) },
 * });
 * assert.equal(options.provider, 'plant-store');
 * // const { Verifier } = await import('@pact-foundation/pact');
 * // await new Verifier({ ...options, pactUrls: ['pacts/garden-app-plant-store.json'] }).verifyProvider();
 */
export function pactVerifierOptions(options: PactVerifierSettings): PactVerifierOptions {
  return new Verification(options).options;
}

type PactRequest = RequestHead & { readonly body: Uint8Array };

/** What happened for one interaction. */
export interface SeenInteraction {
  readonly states: string[];
  /** The ids to replace; `undefined` for any id except 0. */
  readonly ids: { readonly id: bigint | undefined; readonly by: bigint }[];
  /** Whether the token of the pact is sent. */
  keepsToken: boolean;
  /** Why nothing was sent. */
  problem?: string;
  /** What the provider got. */
  request?: PactRequest;
  /** What it returned. The body is without its content codings. */
  response?: ReceivedResponse;
  /** Why there is no whole response. */
  failure?: string;
}

/** What only the command can say. */
interface Further {
  /** Whether the token of the interaction that begins is sent unchanged. */
  readonly keepsToken?: () => boolean;
  /** Sets states up instead of functions: a URL that gets Pact's calls. */
  readonly stateUrl?: string | undefined;
  /** Called at the end of each interaction. */
  readonly onEnd?: (interaction: SeenInteraction) => void;
}

/**
 * The time limit for a state, in milliseconds. Pact has one of 30 s, and then does not tear the states of the interaction down: its end
 * would not be seen.
 */
const STATE_TIMEOUT_MS = 10_000;

/** Where Pact's verifier sends its own calls. */
const STATES_PATH = '/_pactSetup';
const MESSAGES_PATH = '/_messages';

/** The verification of a provider: what Pact's verifier calls, and what happens then. */
export class Verification {
  readonly options: PactVerifierOptions;
  private readonly baseUrl: string;
  private readonly route: Route;
  private readonly stateRoute: Route | undefined;
  private readonly timeoutMs: number;
  /** The interaction that Pact verifies, or has verified. It ends when the first of its states is torn down. */
  private current: SeenInteraction | undefined;
  private hasEnded = false;
  /** The states of the interaction that were set up. */
  private readonly setUp = new Set<string>();
  private untestable: Promise<string | undefined> | undefined;

  /** @throws ToolkitError `invalid-option` */
  constructor(
    private readonly settings: PactVerifierSettings,
    private readonly further: Further = {},
  ) {
    const { provider = PROVIDER, headers = [], timeoutMs = 5_000 } = settings;
    checkInteger('the timeout', timeoutMs, 1, 30_000, ' ms');
    for (const [name] of headers)
      if (/^(?:authorization|host|content-length|content-type|transfer-encoding|connection)$/i.test(name))
        throw invalidOption(`the header "${name}" cannot be set: the pacts decide it`);
    this.timeoutMs = timeoutMs;
    this.baseUrl = baseUrlOf(settings.baseUrl);
    this.route = routeTo(new URL(this.baseUrl), settings);
    this.stateRoute = further.stateUrl === undefined ? undefined : stateRouteTo(further.stateUrl, this.route);
    const handlers: Record<string, PactStateHandler> = Object.create(null);
    for (const name of [...Object.values(providerStates), ...Object.keys(settings.states ?? {})])
      handlers[name] = this.handlerOf(name);
    this.options = {
      provider,
      providerBaseUrl: this.baseUrl,
      failIfNoPactsFound: true,
      // Pact ignores a state that has no handler. Whoever asks for one gets one, which may say that the state is unknown.
      stateHandlers: new Proxy(handlers, {
        get: (known, name) =>
          typeof name !== 'string' || name === 'toJSON' ? undefined : (known[name] ?? this.handlerOf(name)),
      }),
      requestFilter: (...call) => this.filter(...call),
    };
  }

  /**
   * Why the provider cannot be tested: it accepts no plain plant, so nothing shows that the token is right, and a rejection
   * proves nothing. A 5xx can be judged.
   */
  whyUntestable(): Promise<string | undefined> {
    this.untestable ??= this.tryPlainPlants();
    return this.untestable;
  }

  private async tryPlainPlants(): Promise<string | undefined> {
    let why = '';
    for (const further of [{}, { tag: 'succulent' }]) {
      // A name of its own, of a few letters: a provider may want each only once.
      const letters = [...randomBytes(4)].map((byte) => String.fromCharCode(97 + (byte % 26)));
      try {
        const status = await this.create({ name: `Aloe${letters.join('')}`, id: freshIdLike(), ...further });
        if ((status >= 200 && status < 300) || status >= 500) return undefined;
        why = `it returned ${status}${suspicion(status)}`;
      } catch (cause) {
        why = reasonOf(cause);
      }
    }
    return `it accepts no plain plant: ${why}`;
  }

  /** Creates a plant. Returns the status. */
  private async create(plant: NewPlant): Promise<number> {
    const headers = [
      ['Authorization', `Bearer ${await tokenOf(this.settings.token)}`],
      ['Content-Type', 'application/json'],
    ] as const;
    const { method, path: target } = operation;
    const { status } = await this.send({ method, target, headers, body: Buffer.from(writeJson(plant)) });
    return status;
  }

  private handlerOf(name: string): PactStateHandler {
    return {
      setup: async (params) => {
        const current = this.begun();
        try {
          const why = await this.whyUntestable();
          if (why !== undefined) throw new Error(`the provider could not be tested: ${why}`);
          // Pact calls once without a name if there is no state.
          if (name === '') return undefined;
          current.states.push(name);
          // Whoever sets this state up: with the right token, it would not be this state.
          if ([name, this.meaningOf(name)].includes(providerStates.tokenIsNotValid))
            current.keepsToken = true;
          const values = await this.run(name, 'setup', objectOf(params));
          this.setUp.add(name);
          return values;
        } catch (cause) {
          current.problem ??= reasonOf(cause);
          // Pact prints the reason, and goes on. The filter sends no request then.
          throw cause;
        }
      },
      teardown: async (params) => {
        const { current } = this;
        if (current === undefined) return;
        if (!this.hasEnded) this.further.onEnd?.(current);
        this.hasEnded = true;
        if (this.setUp.delete(name)) await this.run(name, 'teardown', objectOf(params));
      },
    };
  }

  private begun(): SeenInteraction {
    if (this.current === undefined || this.hasEnded) {
      this.current = { states: [], ids: [], keepsToken: this.further.keepsToken?.() ?? false };
      this.hasEnded = false;
      this.setUp.clear();
    }
    return this.current;
  }

  private meaningOf(name: string): StateHandler | undefined {
    const { states = {} } = this.settings;
    return Object.hasOwn(states, name) ? states[name] : (name as StateHandler);
  }

  /** @throws Error with the state, and why it cannot be set up or torn down */
  private async run(name: string, action: 'setup' | 'teardown', params: StateParameters): Promise<unknown> {
    const late = sleep(STATE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`timeout after ${STATE_TIMEOUT_MS / 1000} s`);
    });
    late.catch(() => {});
    try {
      return await Promise.race([this.runAtLeisure(name, action, params), late]);
    } catch (cause) {
      const done = action === 'setup' ? 'set up' : 'torn down';
      throw new Error(`the state "${name}" cannot be ${done}: ${reasonOf(cause)}`, { cause });
    }
  }

  private async runAtLeisure(
    name: string,
    action: 'setup' | 'teardown',
    params: StateParameters,
  ): Promise<unknown> {
    if (this.stateRoute !== undefined)
      return await callState(this.stateRoute, { action, state: name, params });
    const meaning = this.meaningOf(name);
    if (typeof meaning === 'object') return await meaning[action]?.(params);
    if (action === 'teardown') return undefined;
    return typeof meaning === 'function' ? await meaning(params) : await this.ready(meaning, params);
  }

  /**
   * The states that need no help from the provider. The response to a creation has no id
   * (openapi.yaml#/components/schemas/Plant), so a fresh one does not change it.
   */
  private async ready(name: string | undefined, { id, name: plantName, tag }: StateParameters) {
    switch (name) {
      case providerStates.tokenIsNotValid:
        return undefined;
      case providerStates.noPlantWithId:
        return { id: idParameter(this.replaceId(id)) };
      case providerStates.plantWithIdExists: {
        const by = this.replaceId(id);
        const plant = { name: typeof plantName === 'string' ? plantName : 'Aloe', id: by };
        const status = await this.create(typeof tag === 'string' ? { ...plant, tag } : plant);
        if (status !== 200) throw new Error(`the provider returned ${status} to the plant`);
        return { id: idParameter(by) };
      }
      default:
        throw new Error('there is no handler for it');
    }
  }

  /** Replaces the id of a state in the request, unless Pact does it. Returns the fresh one. */
  private replaceId(parameter: unknown): bigint {
    const id = idFrom(parameter);
    // A number that JSON.parse has rounded says no more than its sign and its size.
    const by = freshIdLike(
      id ?? (Number(parameter) < -1 ? -(2n ** 62n) : Number(parameter) > 1 ? 2n ** 62n : 1n),
    );
    this.current?.ids.push({ id, by });
    return by;
  }

  /** Pact's proxy calls it for each request. It sends what is for the provider itself: Pact's proxy would change it. */
  private async filter(request: FilteredRequest, response: ServerResponse, next: () => void): Promise<void> {
    const { method = '', url: target = '', rawHeaders } = request;
    if (target === STATES_PATH) {
      keepBodies((request.socket as unknown as { server?: object }).server);
      next();
      return;
    }
    const current = this.begun();
    if (target.startsWith(MESSAGES_PATH)) current.problem ??= 'it is a message, and the interface has none';
    // Without a response, the interaction fails, whatever it expects.
    if (current.problem !== undefined) {
      response.destroy();
      return;
    }
    const isFraming = ([name]: Fields[number]): boolean => /^(?:host|content-length)$/i.test(name);
    const headers = endToEnd(fieldsFrom(rawHeaders)).filter((field) => !isFraming(field));
    const given = { method, target, headers, body: await bytesOf(request) };
    const withIds = current.ids.reduce(withId, given);
    try {
      const { token } = this.settings;
      current.request = current.keepsToken ? withIds : withToken(withIds, await tokenOf(token));
      const received = await this.send(current.request);
      // The report has it, even if its body cannot be read.
      current.response = received;
      current.response = { ...received, body: decodedBody(received) };
      response.removeHeader('x-powered-by');
      response.writeHead(current.response.status, fieldsForPact(current.response).flat());
      response.end(current.response.body);
    } catch (cause) {
      current.failure = reasonOf(cause);
      response.destroy();
    }
  }

  /**
   * Sends a request to the provider.
   *
   * @throws Error if there is no whole response
   */
  private async send({ method, target, headers, body }: PactRequest): Promise<ReceivedResponse> {
    const path = this.route.url.pathname.replace(/\/+$/, '') + target;
    return await sendRequest(
      this.route,
      { method, path, headers, ...(body.length > 0 && { body }) },
      { timeoutMs: this.timeoutMs, longestBody: limits.body },
    );
  }
}

/**
 * The body of a response without its content codings, of which Pact knows only two.
 *
 * @throws Error if it cannot be read
 */
function decodedBody({ headers, body }: ReceivedResponse): Uint8Array {
  const codings = body.length === 0 ? [] : headerValues(headers, 'content-encoding');
  const decoded = decodeContent(body, codings, limits.body);
  if (typeof decoded === 'string') throw new Error(`the response cannot be read: ${decoded}`);
  return decoded;
}

/** The body of a request: its bytes, or those of what Pact's proxy has made of it. */
async function bytesOf(request: FilteredRequest): Promise<Uint8Array> {
  const { body } = request;
  if (!request.readableEnded) return (await readWithin(request, limits.pact)) ?? Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
}

/** The proxies of Pact whose requests keep their bytes. */
const exact = new WeakSet<object>();
let isSubscribed = false;

/**
 * Lets a proxy of Pact leave the body of each request unread. It would read JSON, round ids beyond 2^53, and answer 413 itself
 * above 100 kB. It decides by the Content-Type before any filter is called, so the type is removed before that. The fields as
 * received keep it.
 */
function keepBodies(server: object | undefined): void {
  if (server !== undefined) exact.add(server);
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe('http.server.request.start', (message) => {
    const { server, request } = message as { readonly server: object; readonly request: IncomingMessage };
    if (exact.has(server) && request.url !== STATES_PATH) delete request.headers['content-type'];
  });
}

/** The fields that Pact gets. It would follow a redirect and judge the second response. */
function fieldsForPact({ status, headers }: ReceivedResponse): Fields {
  const isRedirect = status >= 300 && status < 400;
  const isForPact = ([name]: Fields[number]): boolean =>
    !/^content-(?:length|encoding)$/i.test(name) && !(isRedirect && /^location$/i.test(name));
  return endToEnd(headers)
    .filter(isForPact)
    .map(([name, value]) => [
      name,
      // Pact distinguishes `Application/JSON` from `application/json`, but they are equal (RFC 9110, section 8.3.1).
      /^content-type$/i.test(name) ? value.replace(/^[^;]*/, (type) => type.toLowerCase()) : value,
    ]);
}

/**
 * A request with the token of this verification instead of the pact's token. If it has no bearer token, none is added:
 * the interaction may be about that.
 */
function withToken(request: PactRequest, token: string): PactRequest {
  const headers = request.headers.map(([name, value]): Fields[number] => {
    if (name.toLowerCase() !== 'authorization') return [name, value];
    return [name, value.replace(/^(bearer +)\S.*$/is, (_all, scheme: string) => scheme + token)];
  });
  return { ...request, headers };
}

/** A request with another id in its body. All other bytes stay unchanged. */
function withId(request: PactRequest, { id, by }: SeenInteraction['ids'][number]): PactRequest {
  const read = readJson(request.body);
  const value = read.ok ? integerOf(objectOf(read.value).id) : undefined;
  // If the id is not valid, the interaction is about that.
  if (value === undefined || !isInt64(value)) return request;
  if (id === undefined ? value === 0n : value !== id) return request;
  const body = replacedAt(Buffer.from(request.body).toString(), ['id'], String(by));
  return body === undefined ? request : { ...request, body: Buffer.from(body) };
}

/** The most common reason why a provider rejects a valid plant with the token of the verification. */
function suspicion(status: number): string {
  if (status === 404 || status === 405)
    return '. Is the base URL right? The paths of the pacts are appended to it';
  // Most providers say 401, but the interface documents only 400.
  return [400, 401, 403].includes(status) ? '. Is the token right?' : '';
}

/** What belongs to the provider alone goes to no other server: the fields, which may be secret. */
function stateRouteTo(text: string, provider: Route): Route {
  const url = urlOf('the state URL', text);
  const { ca, insecure } = provider;
  return url.origin === provider.url.origin
    ? { ...provider, url }
    : { url, headers: [], ...definedOnly({ ca, insecure }) };
}

/** Calls a URL for a state, as Pact does. Returns its values. No redirect is followed. */
async function callState(route: Route, call: object): Promise<unknown> {
  const headers = [['Content-Type', 'application/json']] as const;
  const request = { method: 'POST', headers, body: JSON.stringify(call) };
  const limit = { timeoutMs: STATE_TIMEOUT_MS, longestBody: limits.body };
  const { status, body } = await sendRequest(route, request, limit).catch((cause) => {
    throw new Error(`${route.url.href}: ${reasonOf(cause)}`, { cause });
  });
  if (status < 200 || status > 299)
    throw new Error(
      `${route.url.href} returned ${status}${status < 400 ? ': redirects are not followed' : ''}`,
    );
  const read = readJson(body);
  return read.ok ? JSON.parse(Buffer.from(body).toString()) : undefined;
}
