import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolkitError } from '../../toolkit-error.js';
import { PactServers } from '../broker/broker.js';
import { publishVerdicts } from '../broker/publish.js';
import { pactsFrom, type ReadPact, selectPacts } from '../pacts.js';
import { type JudgedPact, judgePact, unverified, withoutVerdicts } from './judge.js';
import { type VerifyOptions, type VerifySettings, verifySettings } from './options.js';
import { type PactVerifier, readNativeResult, sizeProblem, startPactVerifier } from './pact-verifier.js';
import { startVerificationProxy, type VerificationProxy } from './proxy.js';
import { type VerifyReport, verifyReport } from './report.js';
import { STATE_TIMEOUT_MS } from './states.js';

/**
 * Verifies a provider against pacts. Pact's own verifier runs in a separate process. The provider gets the requests of
 * the pacts byte by byte. Only the token is replaced, and ids if a provider state asks for new ones. Each response is
 * also compared with the interface.
 *
 * @param options where the provider is, and a token that it accepts
 * @returns a report on each interaction, also if some fail or the provider cannot be reached
 * @throws ToolkitError `invalid-option`; `missing-package` if Pact is not installed; if no pact can be verified, `no-pact`, or
 *   `wrong-provider` if all are about other providers; `pact-broke` if Pact ends without a result, or the signal stops it
 * @example
 * import assert from 'node:assert/strict';
 * import { verifyProvider } from 'plant-store-contract/pact';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * const { conclusion, groups } = await verifyProvider({ baseUrl: store.url, token: 'secret' });
 * assert.equal(conclusion, 'does-not-conform');
 * const [creation] = groups[0]?.cases ?? [];
 * assert.equal(creation?.evidence[0]?.where, 'interface: body /id');
 */
export async function verifyProvider(options: VerifyOptions): Promise<VerifyReport> {
  const settings = await verifySettings(options);
  // Not `using`, here and below: in a context of node:vm, as in Jest, Node 20 lacks the symbols.
  const verifier = startPactVerifier();
  const { signal } = settings;
  signal?.addEventListener('abort', verifier.stop, { once: true });
  try {
    signal?.throwIfAborted();
    return await verifyWith(verifier, settings);
  } catch (cause) {
    if (signal?.aborted !== true) throw cause;
    throw new ToolkitError('pact-broke', 'the verification was stopped', { cause });
  } finally {
    signal?.removeEventListener('abort', verifier.stop);
    verifier.stop();
  }
}

/** Verifies with a verifier that the caller starts and stops. */
export async function verifyWith(verifier: PactVerifier, settings: VerifySettings): Promise<VerifyReport> {
  const startedAt = new Date();
  const { broker, provider, redactor, signal } = settings;
  const servers = new PactServers(broker, redactor.message, signal);
  const sources =
    settings.pacts === undefined
      ? await servers.pactsFor(provider)
      : await pactsFrom(settings.pacts, servers);
  const { pacts, leftOut } = selectPacts(provider, sources);
  const proxy = await startVerificationProxy(settings);
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-pacts-'));
  try {
    // One after the other: Pact does not say which pact a result is about.
    const judged: JudgedPact[] = [];
    for (const [at, pact] of pacts.entries())
      judged.push(await verifyPact(pact, join(folder, `${at}.json`), settings, proxy, verifier));
    const untestable = await proxy.whyUntestable();
    const verdicts = untestable === undefined ? judged : judged.map(withoutVerdicts);
    const published = broker?.publish && (await publishVerdicts(verdicts, broker.publish, servers, redactor));
    return verifyReport({ judged: verdicts, untestable, leftOut, published, startedAt }, settings);
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long Pact's process may take besides its interactions. */
const START_MS = 30_000;

/** @param file where Pact finds the pact */
async function verifyPact(
  read: ReadPact,
  file: string,
  { timeoutMs, strict }: VerifySettings,
  proxy: VerificationProxy,
  verifier: PactVerifier,
): Promise<JudgedPact> {
  const { source, pact } = read;
  if (pact === undefined) return unverified(read, read.problem);
  const problem = sizeProblem(pact);
  if (problem !== undefined) return unverified(read, problem);
  const { interactions } = pact;
  // 401 and 403 mean in every provider that the token of the interaction is rejected.
  const recorded = proxy.record((at) => {
    const { statuses = [] } = interactions[at]?.response ?? {};
    return (statuses.includes(401) || statuses.includes(403)) && !statuses.includes(400);
  });
  await writeFile(file, source.text);
  const options = { ...proxy.options, pactUrls: [file], failIfNoPactsFound: true };
  const limitMs = START_MS + interactions.length * (timeoutMs + STATE_TIMEOUT_MS);
  const pending = interactions.map((interaction) => interaction.pending);
  const result = readNativeResult(await verifier.verify(options, limitMs), pending);
  const errors = result.errors.map((error) => error.replaceAll(file, source.where));
  return judgePact(source, pact, { ...result, errors }, recorded, strict);
}
