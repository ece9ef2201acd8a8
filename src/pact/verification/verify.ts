import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolkitError } from '../../toolkit-error.js';
import { expectedStatus } from '../audit/expected-status.js';
import { fetchPacts } from '../broker/fetch-pacts.js';
import type { FetchedPact } from '../broker/fetched-pact.js';
import { BROKER_TIMEOUT_MS } from '../broker/options.js';
import { type Pact, readPact } from '../pact-file.js';
import { pactsFrom } from '../pact-sources.js';
import { type Interceptor, startInterceptor } from './interceptor.js';
import { type JudgedPact, judgePact } from './judge.js';
import { readNativeResult } from './native-result.js';
import { type VerifyOptions, type VerifySettings, verifySettings } from './options.js';
import { type PactProcess, startPactProcess } from './pact-process.js';
import { publishVerdicts } from './publishing.js';
import { redactorFor, type VerifyReport, verifyReport } from './report.js';
import { missingHandler } from './state-runner.js';
import { concludeTrial, needsControl } from './testable.js';

/**
 * Verifies a provider against pacts. Pact's own verifier runs in a separate process. The provider gets the requests of
 * the pacts byte by byte. Only the token is replaced, and ids if a provider state asks for new ones. Each response is
 * also compared with the interface.
 *
 * @param options where the provider is, and a token that it accepts
 * @returns a report on each interaction, also if some fail or the provider cannot be reached
 * @throws ToolkitError `invalid-option`; `missing-package` if Pact is not installed; `no-pact` if there is nothing to
 *   verify; `invalid-pact`; `wrong-provider` if a pact is about another provider; `no-state-handler` if a state has no
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
    const pacts = await readPacts(settings);
    const judged = await verifyPacts(pacts, settings, interceptor, pactProcess);
    const { message: redact } = redactorFor(settings);
    settings.onPactOutput(redact(await pactProcess.end()));
    const isUnproved = needsControl(judged) && !interceptor.hasCreated();
    const rejectedControl = isUnproved ? await interceptor.control() : undefined;
    const trial = concludeTrial({ judged, hasCreated: interceptor.hasCreated(), rejectedControl });
    const publication = settings.broker?.publish;
    const published = publication && (await publishVerdicts(trial.judged, publication, redact));
    return verifyReport({ ...trial, published, ...started }, settings);
  } finally {
    await interceptor.close();
  }
}

/** A pact to verify, or why it cannot be verified. */
interface ReadPact {
  readonly source: FetchedPact;
  readonly pact?: Pact;
  readonly problem?: string;
}

/** One bad pact of a broker does not stop the verification of the others: its consumer is another team. */
async function readPacts(settings: VerifySettings): Promise<ReadPact[]> {
  const { broker, pacts, provider, signal } = settings;
  const access = { ...broker, timeoutMs: broker?.timeoutMs ?? BROKER_TIMEOUT_MS, signal };
  const isChosen = broker?.url !== undefined;
  const sources = isChosen
    ? await fetchPacts({ ...broker, url: broker.url }, provider, access)
    : await pactsFrom(pacts, access);
  return sources.map((source) => {
    const { text, where } = source;
    try {
      const pact = readPact(text, where);
      checkPact(pact, where, settings);
      if (!isChosen) checkStates(pact, where, settings);
      return { source, pact };
    } catch (cause) {
      if (!isChosen || !(cause instanceof ToolkitError)) throw cause;
      return { source, problem: cause.message };
    }
  });
}

async function verifyPacts(
  pacts: readonly ReadPact[],
  { validate }: VerifySettings,
  interceptor: Interceptor,
  pactProcess: PactProcess,
): Promise<JudgedPact[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-pacts-'));
  try {
    const judged: JudgedPact[] = [];
    for (const [index, { source, pact, problem }] of pacts.entries()) {
      if (pact === undefined) {
        const consumer = source.consumer ?? source.where;
        judged.push({ source, consumer, interactions: [], errors: [], ...(problem && { problem }) });
        continue;
      }
      const file = join(folder, `${index}.json`);
      await writeFile(file, source.text);
      const recorder = interceptor.record((at) => expectsTokenRejection(pact, at));
      const result = readNativeResult(
        await pactProcess.verify({ ...interceptor.options, pactUrls: [file], failIfNoPactsFound: true }),
        pact.interactions.map(({ pending }) => pending),
      );
      judged.push(judgePact({ source, pact, recorded: recorder.interactions, result, validate }));
    }
    return judged;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function checkPact(
  { provider, interactions, otherTypes }: Pact,
  where: string,
  settings: VerifySettings,
): void {
  if (provider !== settings.provider)
    throw new ToolkitError(
      'wrong-provider',
      `${where} is a pact with "${provider}", not with "${settings.provider}". If that is right, name the provider.`,
    );
  if (otherTypes.length > 0)
    throw new ToolkitError(
      'invalid-pact',
      `${where} has an interaction of the type ${otherTypes[0]}, but the interface has only HTTP`,
    );
  if (interactions.length === 0) throw new ToolkitError('no-pact', `${where} has no interaction`);
}

/** A pact of a broker is not checked for this: its other interactions can be verified. */
function checkStates({ interactions }: Pact, where: string, settings: VerifySettings): void {
  if (settings.stateUrl !== undefined) return;
  for (const { description, states } of interactions)
    for (const { name } of states)
      if (!Object.hasOwn(settings.states, name))
        throw new ToolkitError(
          'no-state-handler',
          `${missingHandler(name)}, which "${description}" in ${where} needs. Pass one in \`states\`, or pass a state URL.`,
        );
}

/** Whether an interaction is about a rejected token: 401 and 403 mean that in every provider. */
function expectsTokenRejection({ interactions }: Pact, index: number): boolean {
  const interaction = interactions[index];
  if (interaction === undefined) return false;
  const { accepts } = expectedStatus(interaction);
  return (accepts(401) || accepts(403)) && !accepts(400);
}
