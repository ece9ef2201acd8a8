import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolkitError } from '../../toolkit-error.js';
import { expectedStatus } from '../audit/expected-status.js';
import type { PactInteraction } from '../pact-file.js';
import { type Interceptor, startInterceptor } from './interceptor.js';
import { type JudgedPact, judgePact } from './judge.js';
import { type NativeResult, readNativeResult } from './native-result.js';
import { type VerifyOptions, type VerifySettings, verifySettings } from './options.js';
import { type PactProcess, startPactProcess } from './pact-process.js';
import { publishVerdicts } from './publishing.js';
import { type ReadPact, readPacts } from './read-pacts.js';
import type { RecordedInteraction } from './recorder.js';
import { redactorFor, type VerifyReport, verifyReport } from './report.js';
import { concludeTrial, needsControl } from './testable.js';
import { usablePartOf } from './usable.js';

/**
 * Verifies a provider against pacts. Pact's own verifier runs in a separate process. The provider gets the requests of
 * the pacts byte by byte. Only the token is replaced, and ids if a provider state asks for new ones. Each response is
 * also compared with the interface.
 *
 * @param options where the provider is, and a token that it accepts
 * @returns a report on each interaction, also if some fail or the provider cannot be reached
 * @throws ToolkitError `invalid-option`; `missing-package` if Pact is not installed; `no-pact` if there is nothing to
 *   verify; `invalid-pact`; `wrong-provider` if all pacts are about other providers; `no-state-handler` if a state has no
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
  const pactProcess = startPactProcess();
  const stop = (): void => pactProcess.stop();
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    options.signal?.throwIfAborted();
    return await verifyWith(pactProcess, settings, started);
  } catch (cause) {
    if (options.signal?.aborted !== true) throw cause;
    throw new ToolkitError('pact-broke', 'the verification was stopped', { cause });
  } finally {
    options.signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** Verifies with a process that the caller starts, and stops if this throws. */
export async function verifyWith(
  pactProcess: PactProcess,
  settings: VerifySettings,
  started: { readonly startedAt: Date; readonly start: number },
): Promise<VerifyReport> {
  const interceptor = await startInterceptor(settings);
  try {
    const { pacts, leftOut } = await readPacts(settings);
    const judged = await verifyPacts(pacts, settings, interceptor, pactProcess);
    const { message: redact } = redactorFor(settings);
    settings.onPactOutput(redact(await pactProcess.end()));
    const isStopped = settings.signal?.aborted === true;
    const isUnproved = !isStopped && needsControl(judged) && !interceptor.hasCreated();
    const rejectedControl = isUnproved ? await interceptor.control() : undefined;
    const trial = concludeTrial({ judged, hasCreated: interceptor.hasCreated(), rejectedControl });
    // A verification that was stopped says nothing about a version of the provider.
    const publication = isStopped ? undefined : settings.broker?.publish;
    const published = publication && (await publishVerdicts(trial.judged, publication, redact));
    return verifyReport({ ...trial, leftOut, published, ...started }, settings);
  } finally {
    await interceptor.close();
  }
}

/** What Pact would say of a pact without interactions, if it did not call that an error. */
const NOTHING: NativeResult = { isOk: true, interactions: [], errors: [] };

async function verifyPacts(
  pacts: readonly ReadPact[],
  { validate, signal }: VerifySettings,
  interceptor: Interceptor,
  pactProcess: PactProcess,
): Promise<JudgedPact[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-pacts-'));
  try {
    const judged: JudgedPact[] = [];
    for (const [index, { source, consumer, pact, problem }] of pacts.entries()) {
      if (pact === undefined) {
        judged.push({ source, consumer, interactions: [], errors: [], ...(problem && { problem }) });
        continue;
      }
      const { text, interactions, unusable } = usablePartOf(pact, source.text);
      const file = join(folder, `${index}.json`);
      await writeFile(file, text);
      const recorder = interceptor.record((at) => expectsTokenRejection(interactions[at]));
      const options = { ...interceptor.options, pactUrls: [file], failIfNoPactsFound: true };
      const isNeeded = interactions.length > 0 && signal?.aborted !== true;
      const found = isNeeded ? await unlessStopped(pactProcess.verify(options), signal) : undefined;
      const recorded = recorder.interactions;
      if (signal?.aborted === true && found === undefined) {
        const stopped = new Map(
          pact.interactions.map(({ index }, at) => [index, stoppedAfter(recorded[at])]),
        );
        judged.push(judgePact({ source, pact, recorded: [], result: NOTHING, unusable: stopped, validate }));
        continue;
      }
      const pending = interactions.map((interaction) => interaction.pending);
      const result = found === undefined ? NOTHING : readNativeResult(found, pending);
      judged.push(judgePact({ source, pact, recorded, result, unusable, validate }));
    }
    return judged;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The result of Pact; `undefined` if it has none because the verification was stopped. */
function unlessStopped(
  result: Promise<string>,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return result.catch((cause) => {
    if (signal?.aborted === true) return undefined;
    throw cause;
  });
}

/** Why an interaction has no verdict, and what is known of it. */
function stoppedAfter(recorded: RecordedInteraction | undefined): string {
  const status = recorded?.exchange?.response?.status;
  return `the verification was stopped${status === undefined ? '' : ` after a response with the status ${status}`}`;
}

/** Whether an interaction is about a rejected token: 401 and 403 mean that in every provider. */
function expectsTokenRejection(interaction: PactInteraction | undefined): boolean {
  if (interaction === undefined) return false;
  const { accepts } = expectedStatus(interaction);
  return (accepts(401) || accepts(403)) && !accepts(400);
}
