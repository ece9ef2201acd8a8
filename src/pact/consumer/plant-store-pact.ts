import { resolve } from 'node:path';
import type { NewPlant } from '../../spec/types.js';
import { invalidOption } from '../../toolkit-error.js';
import { loadPact } from '../load-pact.js';
import type {
  CallWithoutToken,
  CreationCall,
  CreationOverrides,
  InvalidPlantOverrides,
  MissingTokenOverrides,
  RefusalCall,
  RefusalOverrides,
} from './calls.js';
import {
  type ExecutableInteraction,
  execute,
  type InteractionBuilder,
  type PactMock,
  type PactSettings,
} from './execute.js';
import { ensureCollection } from './own-process.js';
import { play } from './play.js';
import * as scenes from './scenes.js';

/** Options of {@link plantStorePact}. */
export interface PlantStorePactOptions {
  /** What the consumer is called, in the pact and in the name of its file. */
  readonly consumer: string;
  /** What the provider is called. Default `plant-store`. */
  readonly provider?: string;
  /** The folder of the pact, from the working directory. Default `pacts`. */
  readonly dir?: string;
  /**
   * The status that a refusal has. Default `any-4xx`: 400 is the one that the interface documents, and which another
   * provider answers, is not shown.
   */
  readonly refusals?: 'any-4xx' | number;
  /** How much Pact tells. Default `warn`. */
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error';
}

/**
 * One interaction, ready: starts a mock server that answers it, lets `run` make the request, and keeps the interaction
 * for the pact where exactly that request was made.
 *
 * @param run makes the request with the consumer's own client, and may judge what that makes of the answer
 * @param overrides what is different from the ready example
 * @returns what `run` gives
 * @throws what `run` throws; or an Error of Pact, which says how the request differed from what was agreed
 */
export type ReadyInteraction<Call, Overrides> = <T>(
  run: (call: Call) => Promise<T>,
  overrides?: Overrides,
) => Promise<T>;

/** The interactions of a consumer with the plant store. */
export interface PlantStorePact {
  readonly createsPlantWithTag: ReadyInteraction<
    CreationCall<Required<NewPlant>>,
    CreationOverrides<Required<NewPlant>>
  >;
  readonly createsPlantWithoutTag: ReadyInteraction<
    CreationCall<Omit<NewPlant, 'tag'>>,
    CreationOverrides<Omit<NewPlant, 'tag'>>
  >;
  /** What a repeated id gets is not shown: it is for consumers who know that their provider refuses it. */
  readonly refusesRepeatedId: ReadyInteraction<RefusalCall, RefusalOverrides>;
  /** `plant` in the call has no name, unless another `body` is given. */
  readonly refusesInvalidPlant: ReadyInteraction<RefusalCall, InvalidPlantOverrides>;
  /** Fails where the consumer sends an Authorization header all the same. */
  readonly refusesMissingToken: ReadyInteraction<CallWithoutToken, MissingTokenOverrides>;
  readonly refusesWrongToken: ReadyInteraction<RefusalCall, RefusalOverrides>;
  /**
   * Any other interaction, built with Pact's own means.
   *
   * @param build is given what Pact builds an interaction with; returns what `willRespondWith` gives
   * @param run makes the request
   */
  interaction<T>(
    build: (pact: InteractionBuilder) => ExecutableInteraction,
    run: (mock: PactMock) => Promise<T>,
  ): Promise<T>;
}

/**
 * The pact of a consumer with the plant store, in version 4 of the Pact specification. Every request has to be as the
 * interface shows it; ids are exact, to the ends of int64; examples are fixed, so that the same tests write the same
 * file. The interactions are collected, and merged into `<dir>/<consumer>-<provider>.json` when the run ends: in Vitest
 * by `globalSetup: ['plant-store-contract/pact/global-setup']`, in a process of its own when it exits, elsewhere by
 * `collectPacts`.
 *
 * @throws ToolkitError `invalid-option`, naming the option, or in a worker whose interactions nobody collects;
 *   `missing-package` where Pact is not installed
 * @example
 * import assert from 'node:assert/strict';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { createPlantClient } from 'plant-store-contract/client';
 * import { collectPacts, plantStorePact } from 'plant-store-contract/pact';
 *
 * const finish = collectPacts();
 * const pact = plantStorePact({ consumer: 'example-app', dir: join(tmpdir(), 'example-pacts') });
 *
 * await pact.createsPlantWithTag(async ({ url, token, plant, answer }) => {
 *   const client = createPlantClient({ baseUrl: url, token });
 *   assert.deepEqual(await client.createPlant(plant), answer);
 * });
 * await pact.refusesWrongToken(async ({ url, token, plant, error }) => {
 *   const client = createPlantClient({ baseUrl: url, token });
 *   await assert.rejects(client.createPlant(plant), error);
 * });
 * await pact.interaction(
 *   (builder) =>
 *     builder
 *       .uponReceiving('a request for the state of the store')
 *       .withRequest('GET', '/health')
 *       .willRespondWith(204),
 *   async ({ url }) => assert.equal((await fetch(`${url}/health`)).status, 204),
 * );
 *
 * assert.equal(finish()[0]?.interactions, 3);
 */
export function plantStorePact(options: PlantStorePactOptions): PlantStorePact {
  const settings = settingsOf(options);
  const usual = scenes.refusalStatus(options.refusals ?? 'any-4xx');
  ensureCollection();
  return {
    createsPlantWithTag: async (run, overrides = {}) =>
      play(settings, scenes.createsPlantWithTag(overrides), run),
    createsPlantWithoutTag: async (run, overrides = {}) =>
      play(settings, scenes.createsPlantWithoutTag(overrides), run),
    refusesRepeatedId: async (run, overrides = {}) =>
      play(settings, scenes.refusesRepeatedId(overrides, usual), run),
    refusesInvalidPlant: async (run, overrides = {}) =>
      play(settings, scenes.refusesInvalidPlant(overrides, usual), run),
    refusesMissingToken: async (run, overrides = {}) =>
      play(settings, scenes.refusesMissingToken(overrides, usual), run),
    refusesWrongToken: async (run, overrides = {}) =>
      play(settings, scenes.refusesWrongToken(overrides, usual), run),
    interaction: (build, run) => execute(settings, build, run),
  };
}

function settingsOf({
  consumer,
  provider = 'plant-store',
  dir = 'pacts',
  logLevel = 'warn',
}: PlantStorePactOptions): PactSettings {
  for (const [option, name] of Object.entries({ consumer, provider })) {
    if (typeof name !== 'string' || !/^[^/\\\p{Cc}]+$/u.test(name))
      throw invalidOption(
        `the option "${option}" must be a name that a file can have; got ${JSON.stringify(name)}`,
      );
  }
  return {
    consumer,
    provider,
    file: resolve(dir, `${consumer}-${provider}.json`),
    logLevel,
    installed: loadPact(),
  };
}
