import type { PactV4 } from '@pact-foundation/pact';
import type { loadPact } from '../load-pact.js';
import { newPart } from './collection.js';
import { ensureCollection } from './own-process.js';

/** What Pact gives to build one interaction with: `given`, `uponReceiving`, `withRequest` and so on. */
export type InteractionBuilder = ReturnType<PactV4['addInteraction']>;

/** The mock server of one interaction. */
export interface PactMock {
  /** Its base URL, without a slash at the end. */
  readonly url: string;
  readonly port: number;
}

/** An interaction that is built: what `willRespondWith` gives. */
export interface ExecutableInteraction {
  executeTest<T>(run: (mock: PactMock) => Promise<T>): Promise<T | undefined>;
}

/** What all interactions of a pact have in common. */
export interface PactSettings {
  readonly consumer: string;
  readonly provider: string;
  /** The pact, as an absolute path. */
  readonly file: string;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly installed: ReturnType<typeof loadPact>;
}

/**
 * Up to its version 16, Pact can take a request that it has just answered for one that never came; a moment later it
 * knows. 10 ms are nearly always enough, and on a busy machine not; so it is asked, through what it keeps to itself.
 */
const FIRST_VERSION_WITHOUT_WAIT = 17;
const WAIT_MS = 10;
const MOST_WAITS = 100;

/** What Pact asks its mock server when the callback has ended. */
interface MockServer {
  mockServerMatchedSuccessfully(port: number): boolean;
  mockServerMismatches(port: number): readonly { readonly type: string }[];
}

/** As it is now: a test may replace the global one by a clock that stands still. */
const { setTimeout: realSetTimeout } = globalThis;

/**
 * Builds one interaction, starts its mock server, lets the consumer talk to it, and keeps the interaction where all
 * was as agreed. Pact gets an object and a folder of its own for each: so nothing that was built and never executed
 * gets into a pact, and nobody else writes the file.
 *
 * @returns what `run` gives
 * @throws what Pact says of a request that is not as agreed or did not come, or what `run` throws
 */
export async function execute<T>(
  { consumer, provider, file, logLevel, installed: { pact, version } }: PactSettings,
  build: (pact: InteractionBuilder) => ExecutableInteraction,
  run: (mock: PactMock) => Promise<T>,
): Promise<T> {
  const waits = Number.parseInt(version, 10) < FIRST_VERSION_WITHOUT_WAIT;
  // The one that was under way when the pact was made may have ended.
  ensureCollection();
  const dir = newPart(file);
  const own = new pact.PactV4({ consumer, provider, dir, logLevel });
  const interaction = build(own.addInteraction());
  // Pact says `T | undefined`; it gives what the callback gave, or rejects.
  return (await interaction.executeTest(async (mock) => {
    const given = await run({ url: mock.url, port: mock.port });
    if (waits) await untilRecorded((own as unknown as { readonly pact: MockServer }).pact, mock.port);
    return given;
  })) as T;
}

/** Waits until the mock server knows of the request that it has answered, or for a second. */
async function untilRecorded(server: MockServer, port: number): Promise<void> {
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    await new Promise((resolve) => realSetTimeout(resolve, WAIT_MS));
    if (server.mockServerMatchedSuccessfully(port)) return;
    // Another request than was agreed has come: that will not change.
    if (server.mockServerMismatches(port).some(({ type }) => type !== MISSING)) return;
  }
}

const MISSING = 'missing-request';
