import type { V4UnconfiguredInteraction } from '@pact-foundation/pact/src/v4/http/types.js';
import { headerValues } from '../../http/fields.js';
import { startForwarder } from '../../http/forwarder/forwarder.js';
import { operation } from '../../spec/operation.js';
import { ToolkitError } from '../../toolkit-error.js';
import type { loadPact } from '../load-pact.js';
import { ensureCollection, newPart } from './collection.js';
import type { InteractionSpec } from './interactions.js';

/** What Pact builds one interaction with: `given`, `uponReceiving`, `withRequest` and so on. */
export type InteractionBuilder = V4UnconfiguredInteraction;

/** The mock server of one interaction. */
export interface PactMock {
  /** Its base URL, without a slash at the end. */
  readonly url: string;
  readonly port: number;
}

/** An interaction that is built: what `willRespondWith` returns. */
export interface ExecutableInteraction {
  executeTest<T>(run: (mock: PactMock) => Promise<T>): Promise<T | undefined>;
}

/** What all interactions of a pact share. */
export interface PactSettings {
  readonly consumer: string;
  readonly provider: string;
  /** The pact, as an absolute path. */
  readonly file: string;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly installed: ReturnType<typeof loadPact>;
}

/**
 * Builds one interaction, starts its mock server, runs the consumer's code, and keeps the interaction if the request
 * matched. Each interaction has a Pact object and a folder of its own. So an interaction that was built but not
 * executed never gets into a pact, and no two processes write one file.
 *
 * @returns what `run` returns
 * @throws Pact's error if the request did not match or did not come, or what `run` throws
 */
export async function runInteraction<T>(
  { consumer, provider, file, logLevel, installed: { pact, version } }: PactSettings,
  build: (pact: InteractionBuilder) => ExecutableInteraction,
  run: (mock: PactMock) => Promise<T>,
): Promise<T> {
  const waits = Number.parseInt(version, 10) < FIRST_VERSION_WITHOUT_WAIT;
  // The collection that was open when the pact was made may have ended.
  ensureCollection();
  const dir = newPart(file);
  const own = new pact.PactV4({ consumer, provider, dir, logLevel });
  const interaction = build(own.addInteraction());
  // Pact's type is `T | undefined`, but it returns what the callback returned, or rejects.
  return (await interaction.executeTest(async (mock) => {
    const result = await run({ url: mock.url, port: mock.port });
    if (waits) await untilRecorded((own as unknown as { readonly pact: MockServer }).pact, mock.port);
    return result;
  })) as T;
}

/** Runs a ready-made interaction. */
export function runReadyMade<Call, T>(
  settings: PactSettings,
  spec: InteractionSpec<Call>,
  run: (call: Call) => Promise<T>,
): Promise<T> {
  const withCall = ({ url }: PactMock): Promise<T> => run({ ...spec.call, url } as Call);
  return runInteraction(
    settings,
    (pact) => build(pact, settings, spec),
    spec.authorization === undefined ? (mock) => withoutToken(mock, withCall) : withCall,
  );
}

function build(
  pact: InteractionBuilder,
  { installed }: PactSettings,
  { description, states, authorization, request, response, status }: InteractionSpec<unknown>,
): ExecutableInteraction {
  const { HTTPResponseStatusClass, MatchersV3 } = installed.pact;
  for (const { name, params } of states) pact.given(name, params);
  return pact
    .uponReceiving(description)
    .withRequest(operation.method, operation.path, (builder) => {
      // This also sets the Content-Type application/json, and tolerates a charset.
      builder.jsonBody(request);
      if (authorization === undefined) return;
      const value =
        'any' in authorization
          ? MatchersV3.regex('Bearer .+', `Bearer ${authorization.any}`)
          : `Bearer ${authorization.exactly}`;
      builder.headers({ Authorization: value });
    })
    .willRespondWith(
      status.any4xx
        ? MatchersV3.matchStatus(status.example, HTTPResponseStatusClass.ClientError)
        : status.example,
      (builder) => {
        builder.jsonBody(response);
      },
    );
}

/**
 * Runs the consumer's code, and fails if it sends an Authorization header. Pact cannot do this: it has no matcher for
 * an absent header, and its mock server accepts headers that the pact does not name. A forwarder watches instead.
 *
 * @throws ToolkitError `does-not-conform` if the header was sent
 */
async function withoutToken<T>(mock: PactMock, run: (mock: PactMock) => Promise<T>): Promise<T> {
  let sent = false;
  const forwarder = await startForwarder({
    upstream: { url: new URL(mock.url), headers: [] },
    onExchange: ({ request }) => {
      sent ||= headerValues(request.headers, 'authorization').length > 0;
    },
  });
  try {
    return await run({ url: forwarder.url, port: forwarder.port });
  } finally {
    await forwarder.close();
    if (sent)
      // biome-ignore lint/correctness/noUnsafeFinally: this error explains every other one.
      throw new ToolkitError(
        'does-not-conform',
        'the consumer sent an Authorization header, but this interaction is about a missing token',
      );
  }
}

/**
 * Pact 16 and earlier can report a request that it has just served as missing. A moment later it reports the request
 * correctly. Usually 10 ms are enough, but not on a busy machine. So its mock server is asked, through a private field.
 */
const FIRST_VERSION_WITHOUT_WAIT = 17;
const WAIT_MS = 10;
const MOST_WAITS = 100;

/** What Pact asks its mock server when the callback has ended. */
interface MockServer {
  mockServerMatchedSuccessfully(port: number): boolean;
  mockServerMismatches(port: number): readonly { readonly type: string }[];
}

/** The real timer: a test may have replaced the global one. */
const { setTimeout: realSetTimeout } = globalThis;

/** Waits until the mock server has recorded the request that it served, for a second at most. */
async function untilRecorded(server: MockServer, port: number): Promise<void> {
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    await new Promise((resolve) => realSetTimeout(resolve, WAIT_MS));
    if (server.mockServerMatchedSuccessfully(port)) return;
    // A request that does not match was received: that will not change.
    if (server.mockServerMismatches(port).some(({ type }) => type !== 'missing-request')) return;
  }
}
