import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolkitError } from '../../toolkit-error.js';
import type { PactInteraction } from '../pact-file.js';
import { type JudgedPact, judgePact, needsControl, testabilityOf } from './judge.js';
import { type VerifyOptions, type VerifySettings, verifySettings } from './options.js';
import {
  type NativeResult,
  type PactVerifier,
  readNativeResult,
  startPactVerifier,
} from './pact-verifier.js';
import { publishVerdicts } from './publish.js';
import { loadablePartOf, type ReadPact, readPacts } from './read-pacts.js';
import { type VerifyReport, verifyReport } from './report.js';
import {
  type RecordedInteraction,
  startVerificationProxy,
  type VerificationProxy,
} from './verification-proxy.js';

/**
 * Verifies a provider against pacts. Pact's own verifier runs in a separate process. The provider gets the requests of
 * the pacts byte by byte. Only the token is replaced, and ids if a provider state asks for new ones. Each response is
 * also compared with the interface.
 *
 * @param options where the provider is, and a token that it accepts
 * @returns a report on each interaction, also if some fail or the provider cannot be reached
 * @throws ToolkitError `invalid-option`; `missing-package` if Pact is not installed; if no pact can be verified, `no-pact`,
 *   `invalid-pact`, or `wrong-provider` if all are about other providers; `no-state-handler` if a state has no
 *   handler; `pact-broke` if Pact ends without a result
 * @example
 * import assert from 'node:assert/strict';
 * import { verifyProvider } from 'plant-store-contract/pact';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * const { conclusion, pacts } = await verifyProvider({ baseUrl: store.url, token: 'secret' });
 * assert.equal(conclusion, 'does-not-conform');
 * const [violation] = pacts[0]?.interactions.flatMap(({ violations }) => violations) ?? [];
 * assert.equal(violation?.pointer, '/id');
 */
export async function verifyProvider(options: VerifyOptions): Promise<VerifyReport> {
  const started = { startedAt: new Date(), start: performance.now() };
  const settings = await verifySettings(options);
  // Not `using`, here and below: in a context of node:vm, as in Jest, Node 20 lacks the symbols.
  const verifier = startPactVerifier();
  const stop = (): void => verifier.stop();
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    options.signal?.throwIfAborted();
    return await verifyWith(verifier, settings, started);
  } catch (cause) {
    if (options.signal?.aborted !== true) throw cause;
    throw new ToolkitError('pact-broke', 'the verification was stopped', { cause });
  } finally {
    options.signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** Verifies with a verifier that the caller starts, and stops if this throws. */
export async function verifyWith(
  verifier: PactVerifier,
  settings: VerifySettings,
  started: { readonly startedAt: Date; readonly start: number },
): Promise<VerifyReport> {
  const { signal, broker, onPactOutput } = settings;
  const { message: redact } = settings.redactor;
  const proxy = await startVerificationProxy(settings);
  try {
    const { pacts, leftOut } = await readPacts(settings);
    const judged = await verifyPacts(pacts, settings, proxy, verifier);
    onPactOutput(redact(await verifier.end()));
    const isStopped = signal?.aborted === true;
    const isUnproved = !isStopped && needsControl(judged) && !proxy.hasCreated();
    const rejectedControl = isUnproved ? await proxy.control() : undefined;
    const tested = testabilityOf({ judged, hasCreated: proxy.hasCreated(), rejectedControl });
    // A verification that was stopped says nothing about a version of the provider.
    const publication = isStopped ? undefined : broker?.publish;
    const published = publication && (await publishVerdicts(tested.judged, publication, redact));
    return verifyReport({ ...tested, leftOut, published, ...started }, settings);
  } finally {
    await proxy.close();
  }
}

/** Verifies one pact after the other: Pact loads each from a file. */
async function verifyPacts(
  pacts: readonly ReadPact[],
  settings: VerifySettings,
  proxy: VerificationProxy,
  verifier: PactVerifier,
): Promise<JudgedPact[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-pacts-'));
  try {
    const judged: JudgedPact[] = [];
    for (const [index, pact] of pacts.entries())
      judged.push(await verifyPact(pact, join(folder, `${index}.json`), settings, proxy, verifier));
    return judged;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param file where Pact finds what it can load of the pact */
async function verifyPact(
  { source, consumer, pact, problem }: ReadPact,
  file: string,
  { validate, signal }: VerifySettings,
  proxy: VerificationProxy,
  verifier: PactVerifier,
): Promise<JudgedPact> {
  if (pact === undefined)
    return { source, consumer, interactions: [], errors: [], ...(problem && { problem }) };
  const { interactions } = pact;
  const recording = proxy.record((at) => expectsTokenRejection(interactions[at]));
  let result: NativeResult | undefined = NOTHING;
  if (interactions.length > 0) {
    await writeFile(file, loadablePartOf(pact, source.text));
    const options = { ...proxy.options, pactUrls: [file], failIfNoPactsFound: true };
    const pending = interactions.map((interaction) => interaction.pending);
    result = await unlessStopped(
      async () => readNativeResult(await verifier.verify(options), pending),
      signal,
    );
  }
  const { interactions: recorded } = recording;
  const stopped = interactions.map(({ index }, at) => [index, stoppedAfter(recorded[at])] as const);
  const unverified = new Map(result === undefined ? stopped : []);
  const { interactions: verified, errors: found } = result ?? NOTHING;
  const errors = found.map((error) => error.replaceAll(file, source.where));
  // Pact verifies in the order of the file, and so did the proxy.
  const attempts = verified.map((native, at) => ({ native, recorded: recorded[at] }));
  return judgePact({ source, pact, attempts, unverified, errors, validate });
}

/** Does the work, unless the verification is stopped first. Then there is no result. */
async function unlessStopped<T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const isStopped = (): boolean => signal?.aborted === true;
  if (isStopped()) return undefined;
  try {
    return await work();
  } catch (cause) {
    if (isStopped()) return undefined;
    throw cause;
  }
}

/** What Pact would say of a pact without interactions, if it did not call that an error. */
const NOTHING: NativeResult = { interactions: [], errors: [] };

/** Why an interaction has no verdict, and what is known of it. */
function stoppedAfter(recorded: RecordedInteraction | undefined): string {
  const status = recorded?.exchange?.response?.status;
  return `the verification was stopped${status === undefined ? '' : ` after a response with the status ${status}`}`;
}

/** Whether an interaction is about a rejected token: 401 and 403 mean that in every provider. */
function expectsTokenRejection(interaction: PactInteraction | undefined): boolean {
  const { statuses = [] } = interaction?.response ?? {};
  return (statuses.includes(401) || statuses.includes(403)) && !statuses.includes(400);
}
