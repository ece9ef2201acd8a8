import type { ForwardedRequest, ForwardedResponse, ResponseHead } from '../../http/exchange.js';
import { type Fields, headerValues } from '../../http/fields.js';
import { startForwarder } from '../../http/forwarder/forwarder.js';
import { limits } from '../../http/limits.js';
import { sendRequest } from '../../http/route.js';
import { operation, operationUrl } from '../../spec/operation.js';
import type { NewPlant } from '../../spec/types.js';
import { reasonOf } from '../../toolkit-error.js';
import { decodeContent } from '../../validation/content-coding.js';
import { writeJson } from '../../validation/json-writer.js';
import type { VerifySettings } from './options.js';
import type { VerifierOptions } from './pact-verifier.js';
import { Recording } from './recording.js';
import { idIn, withId, withToken } from './rewrite.js';
import { freshIdLike } from './state-handlers.js';
import { STATE_TIMEOUT_MS, startStateServer, statesByHandlers, statesByUrl } from './state-server.js';

/** Pact's timeout is longer than the forwarder's, so that the forwarder reports a timeout first. */
const ADDITIONAL_TIMEOUT_MS = 5_000;

/** Everything between Pact and the provider. */
export interface VerificationProxy {
  readonly options: VerifierOptions;
  /** Records another pact. */
  record(keepsToken: (index: number) => boolean): Recording;
  /** Whether the provider has accepted a plant that a state needed. */
  hasCreated(): boolean;
  /** Creates a plain plant with the token of the verification. Resolves with the reason if that fails. */
  control(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Starts a byte-exact forwarder between Pact and the provider, and a server that Pact calls for states. */
export async function startVerificationProxy(settings: VerifySettings): Promise<VerificationProxy> {
  const { route, timeoutMs, token, provider } = settings;
  let hasCreated = false;
  const createPlant = async (plant: NewPlant): Promise<void> => {
    await create(plant, settings);
    hasCreated = true;
  };
  const states =
    settings.stateRoute === undefined
      ? statesByHandlers(settings.states, createPlant)
      : statesByUrl(settings.stateRoute);
  const createdIds = new Set<bigint>();
  let recording = new Recording(() => false);
  const rewrite = (request: ForwardedRequest): ForwardedRequest | undefined => {
    const interaction = recording.sending();
    if (interaction === undefined) return undefined;
    const withIds = interaction.ids.reduce(withId, request);
    const id = idIn(withIds.body);
    interaction.idExists = id !== undefined && createdIds.has(id);
    const sent = interaction.keepsToken ? withIds : withToken(withIds, token);
    interaction.tokenReplaced = differs(sent.headers, withIds.headers);
    return { ...sent, headers: [...sent.headers, ...route.headers] };
  };
  const forwarder = await startForwarder({
    upstream: route,
    timeoutMs,
    keptBytes: limits.body,
    rewrite,
    rewriteResponse: withoutRedirect,
    whyUnsent: whyUnreadable,
    onExchange: (exchange) => {
      const { request, response, failure } = exchange;
      // What the proxy did says nothing about the provider.
      if (route.outbound !== undefined && failure?.includes(route.outbound.name) === true) {
        recording.rejected(failure);
        return;
      }
      recording.exchange(exchange);
      const id = response?.status === 200 ? idIn(request.body) : undefined;
      if (id !== undefined) createdIds.add(id);
    },
    onRejected: (reason) => recording.rejected(reason),
  });
  const stateServer = await startStateServer(states, () => recording);
  return {
    options: {
      providerBaseUrl: forwarder.url,
      provider,
      providerStatesSetupUrl: stateServer.url,
      providerStatesSetupTeardown: true,
      providerStatesSetupBody: true,
      timeout: Math.max(timeoutMs, STATE_TIMEOUT_MS) + ADDITIONAL_TIMEOUT_MS,
      logLevel: 'warn',
    },
    record(keepsToken) {
      recording = new Recording(keepsToken);
      return recording;
    },
    hasCreated: () => hasCreated,
    control: () => createPlant({ name: 'Aloe', id: freshIdLike() }).then(() => undefined, reasonOf),
    async close() {
      await Promise.all([forwarder.close(), stateServer.close()]);
    },
  };
}

function differs(some: Fields, others: Fields): boolean {
  return some.some(([, value], at) => value !== others[at]?.[1]);
}

/** Pact would follow a redirect and judge the second response. */
function withoutRedirect(response: ResponseHead): ResponseHead {
  const isRedirect = response.status >= 300 && response.status < 400;
  const headers = response.headers.filter(([name]) => !isRedirect || name.toLowerCase() !== 'location');
  return { ...response, headers };
}

/** Why Pact could not read a response: it undoes content codings without limits. */
function whyUnreadable({ body, headers }: ForwardedResponse): string | undefined {
  // A response to HEAD has codings, but no body.
  if (body.length === 0) return undefined;
  const decoded = decodeContent(body, headerValues(headers, 'content-encoding'), limits.body);
  return typeof decoded === 'string' ? `the response cannot be read: ${decoded}` : undefined;
}

/** @throws Error if the provider does not return 200 */
async function create(plant: NewPlant, { baseUrl, route, token, timeoutMs }: VerifySettings): Promise<void> {
  const headers = [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
  ] as const;
  const request = { method: operation.method, headers, body: writeJson(plant) };
  const to = { ...route, url: operationUrl(baseUrl) };
  const why = await sendRequest(to, request, { timeoutMs, longestBody: limits.body }).then(
    ({ status }) => (status === 200 ? undefined : `the provider returned ${status}`),
    reasonOf,
  );
  if (why !== undefined) throw new Error(`the plant could not be created: ${why}`);
}
