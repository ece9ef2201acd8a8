import { createServer } from 'node:http';
import type { ForwardedResponse } from '../../http/exchange.js';
import { headerValues } from '../../http/fields.js';
import { startForwarder } from '../../http/forwarder/forwarder.js';
import { limits } from '../../http/limits.js';
import { listen } from '../../http/listen.js';
import { sendRequest } from '../../http/send.js';
import { operation, operationUrl } from '../../spec/operation.js';
import type { NewPlant } from '../../spec/types.js';
import { reasonOf } from '../../toolkit-error.js';
import { decodeContent } from '../../validation/content-coding.js';
import { writeJson } from '../../validation/json-writer.js';
import type { VerifySettings } from './options.js';
import type { VerifierOptions } from './pact-process.js';
import { Recorder } from './recorder.js';
import { freshIdLike } from './state-handlers.js';
import { STATE_TIMEOUT_MS, statesByHandlers, statesByUrl } from './state-runner.js';

/** Pact's timeout is longer than the forwarder's, so that the forwarder reports a timeout first. */
const ADDITIONAL_TIMEOUT_MS = 5_000;

/** Everything between Pact and the provider. */
export interface Interceptor {
  readonly options: VerifierOptions;
  /** Records another pact. */
  record(keepsToken: (index: number) => boolean): Recorder;
  /** Whether the provider has accepted a plant that a state needed. */
  hasCreated(): boolean;
  /** Creates a plain plant with the token of the verification. Resolves with the reason if that fails. */
  control(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Starts a byte-exact forwarder between Pact and the provider, and a server that Pact calls for states. */
export async function startInterceptor(settings: VerifySettings): Promise<Interceptor> {
  const { route, timeoutMs, token, headers, provider } = settings;
  let hasCreated = false;
  const createPlant = async (plant: NewPlant): Promise<void> => {
    await create(plant, settings);
    hasCreated = true;
  };
  const states =
    settings.stateUrl === undefined
      ? statesByHandlers(settings.states, createPlant)
      : statesByUrl(settings.stateUrl);
  const createdIds = new Set<bigint>();
  let recorder = new Recorder(states, token, () => false, createdIds);
  const forwarder = await startForwarder({
    upstream: route,
    timeoutMs,
    // Pact reads and decodes without limits.
    keptBytes: limits.body,
    whyUnsent: whyUnreadable,
    rewrite: (request) => {
      const sent = recorder.request(request);
      return sent && { ...sent, headers: [...sent.headers, ...headers] };
    },
    // Pact would follow a redirect and judge the second response.
    rewriteResponse: (response) => {
      const isRedirect = response.status >= 300 && response.status < 400;
      const headers = response.headers.filter(([name]) => !isRedirect || name.toLowerCase() !== 'location');
      return { ...response, headers };
    },
    onExchange: (exchange) => {
      const { failure } = exchange;
      // What the proxy did says nothing about the provider.
      if (route.outbound !== undefined && failure?.includes(route.outbound.name) === true)
        recorder.rejected(failure);
      else recorder.exchange(exchange);
    },
    onRejected: (reason) => recorder.rejected(reason),
  });
  const stateServer = await startStateServer((body) => recorder.state(body));
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
      recorder = new Recorder(states, token, keepsToken, createdIds);
      return recorder;
    },
    hasCreated: () => hasCreated,
    control: () => createPlant({ name: 'Aloe', id: freshIdLike() }).then(() => undefined, reasonOf),
    async close() {
      await Promise.all([forwarder.close(), stateServer.close()]);
    },
  };
}

/** Why Pact could not read a response. It undoes content codings; a response to HEAD has codings, but no body. */
function whyUnreadable({ body, headers }: ForwardedResponse): string | undefined {
  if (body.length === 0) return undefined;
  const decoded = decodeContent(body, headerValues(headers, 'content-encoding'), limits.body);
  return typeof decoded === 'string' ? `the response cannot be read: ${decoded}` : undefined;
}

/** Listens on the loopback interface for Pact's calls about states. */
async function startStateServer(
  handle: (body: Uint8Array) => Promise<string>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const values = await handle(Buffer.concat(chunks));
    response.setHeader('content-type', 'application/json').end(values);
  });
  const { url } = await listen(server, '127.0.0.1', 0);
  return {
    url: `${url}/states`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @throws Error if the provider does not return 200 */
async function create(
  plant: NewPlant,
  { baseUrl, route, token, headers, timeoutMs }: VerifySettings,
): Promise<void> {
  const fields = [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
    ...headers,
  ] as const;
  const request = { method: operation.method, headers: fields, body: writeJson(plant) };
  const to = { ...route, url: operationUrl(baseUrl) };
  const why = await sendRequest(to, request, { timeoutMs, longestBody: limits.body }).then(
    ({ status }) => (status === 200 ? undefined : `the provider returned ${status}`),
    reasonOf,
  );
  if (why !== undefined) throw new Error(`the plant could not be created: ${why}`);
}
