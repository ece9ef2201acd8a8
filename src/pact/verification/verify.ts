import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolkitError } from '../../toolkit-error.js';
import { type Pact, readPact } from '../pact-file.js';
import { pactsFrom } from '../pact-sources.js';
import { type BrokerOptions, brokerOptions } from './broker.js';
import { concludeFrom, needsControl, redactionOf } from './conclude.js';
import { type Judged, judgeScenes } from './judge-scenes.js';
import { readNativeResult } from './native-result.js';
import { type VerifyOptions, type VerifySettings, verifySettings } from './options.js';
import { type PactProcess, startPactProcess } from './pact-process.js';
import { type Stage, startStage } from './stage.js';
import { withoutHandler } from './state-makers.js';
import type { Verification } from './verification.js';

/**
 * Verifies a provider against pacts, by Pact's own verifier in a process of its own. Requests reach the provider
 * byte by byte as the pacts have them, but for the token, and ids where a provider state asks for fresh ones. Each
 * answer is held against the interface as well.
 *
 * @param options where the provider is, and a token that it accepts
 * @returns what became of each interaction, also where some fail or the provider cannot be reached
 * @throws ToolkitError `invalid-option`; `missing-package` where Pact is not installed; `no-pact` where there is
 *   nothing to verify; `invalid-pact`; `wrong-provider` where a pact is about another provider; `no-state-handler`
 *   where nobody can bring a state about; `pact-broke` where Pact ends without a result
 * @example
 * import assert from 'node:assert/strict';
 * import { verifyProvider } from 'plant-store-contract/pact';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * const { conclusion, pacts } = await verifyProvider({ baseUrl: store.url, token: 'secret' });
 * assert.equal(conclusion, 'fails');
 * const [violation] = pacts[0]?.interactions.flatMap(({ violations }) => violations) ?? [];
 * assert.equal(violation?.pointer, '/id');
 */
export async function verifyProvider(options: VerifyOptions): Promise<Verification> {
  const startedAt = new Date();
  const start = performance.now();
  const settings = await verifySettings(options);
  // Not `using`, here and below: where Vitest runs tests in a context of node:vm, Node 20 lacks the symbols.
  const pactProcess = startPactProcess({ keepsHttpsProxy: settings.broker !== undefined });
  const stop = (): void => pactProcess.stop();
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    options.signal?.throwIfAborted();
    return await verify(settings, pactProcess, startedAt, start);
  } catch (cause) {
    if (options.signal?.aborted !== true) throw cause;
    throw new ToolkitError('pact-broke', 'the verification was stopped', { cause });
  } finally {
    options.signal?.removeEventListener('abort', stop);
    stop();
  }
}

async function verify(
  settings: VerifySettings,
  pactProcess: PactProcess,
  startedAt: Date,
  start: number,
): Promise<Verification> {
  const stage = await startStage(settings);
  try {
    const judged =
      settings.broker === undefined
        ? await verifyFiles(settings, stage, pactProcess)
        : [await verifyFromBroker(settings, settings.broker, stage, pactProcess)];
    const output = await pactProcess.end();
    settings.onPactOutput(redactionOf(settings).text(output));
    const isUnproved = needsControl(judged) && !stage.hasCreated();
    const refusedControl = isUnproved ? await stage.control() : undefined;
    return concludeFrom(
      { judged, complaints: complaintsIn(output), hasCreated: stage.hasCreated(), refusedControl },
      settings,
      { startedAt: startedAt.toISOString(), durationMs: Math.round(performance.now() - start) },
    );
  } finally {
    await stage.close();
  }
}

async function verifyFiles(
  settings: VerifySettings,
  stage: Stage,
  pactProcess: PactProcess,
): Promise<Judged[]> {
  const sources = await pactsFrom(settings.pacts);
  const pacts = sources.map(({ where, text }) => ({ where, text, pact: readPact(text, where) }));
  for (const { where, pact } of pacts) checkPact(pact, where, settings);
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-pacts-'));
  try {
    const judged: Judged[] = [];
    for (const [index, { where, text, pact }] of pacts.entries()) {
      const file = join(folder, `${index}.json`);
      await writeFile(file, text);
      const scenes = stage.begin((at) => asksForBadToken(pact, at));
      const result = readNativeResult(
        await pactProcess.verify({ ...stage.options, pactUrls: [file], failIfNoPactsFound: true }),
        pact.interactions.map(({ pending }) => pending),
      );
      judged.push(judgeScenes({ where, pact, scenes: scenes.all, result, settings }));
    }
    return judged;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function verifyFromBroker(
  settings: VerifySettings,
  broker: BrokerOptions,
  stage: Stage,
  pactProcess: PactProcess,
): Promise<Judged> {
  const options = brokerOptions(broker);
  const scenes = stage.begin(() => false);
  const result = readNativeResult(await pactProcess.verify({ ...stage.options, ...options }));
  const where = new URL(broker.url).origin;
  if (result.interactions.length === 0) {
    const why = result.errors.join('; ') || `it has no pact of ${settings.provider}`;
    throw new ToolkitError('no-pact', `the broker at ${where} gave nothing to verify: ${why}`);
  }
  return judgeScenes({ where, pact: undefined, scenes: scenes.all, result, settings });
}

/** What goes wrong after the verification is printed, and told in no result. */
function complaintsIn(output: string): string[] {
  return [...output.matchAll(/(Publishing of verification results failed.*)/g)].map(([, said = '']) => said);
}

function checkPact(
  { provider, interactions, unreadable }: Pact,
  where: string,
  settings: VerifySettings,
): void {
  if (provider !== settings.provider)
    throw new ToolkitError(
      'wrong-provider',
      `${where} is a pact with "${provider}", and not with "${settings.provider}"; name the provider if that is right`,
    );
  if (unreadable.length > 0)
    throw new ToolkitError('invalid-pact', `${where} asks for ${unreadable[0]}: the interface has HTTP only`);
  if (interactions.length === 0) throw new ToolkitError('no-pact', `${where} holds no interaction`);
  if (settings.stateUrl !== undefined) return;
  for (const { description, states } of interactions)
    for (const { name } of states)
      if (!Object.hasOwn(settings.states, name))
        throw new ToolkitError(
          'no-state-handler',
          `${withoutHandler(name)}, which "${description}" in ${where} needs: give one by \`states\`, or a state URL`,
        );
}

/** Whether an interaction is about a token that is refused: 401 and 403 say that in every provider. */
function asksForBadToken({ interactions }: Pact, index: number): boolean {
  const response = interactions[index]?.response;
  return response?.statusClass === undefined && (response?.status === 401 || response?.status === 403);
}
