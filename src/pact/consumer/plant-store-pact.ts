import { resolve } from 'node:path';
import type { NewPlant } from '../../spec/types.js';
import { invalidOption } from '../../toolkit-error.js';
import { loadPact } from '../load-pact.js';
import type * as calls from './calls.js';
import { ensureCollection } from './collection.js';
import * as specs from './interactions.js';
import {
  type ExecutableInteraction,
  type InteractionBuilder,
  type PactMock,
  type PactSettings,
  runInteraction,
  runReadyMade,
} from './run-interaction.js';

/** Options of {@link plantStorePact}. */
export interface PlantStorePactOptions {
  /** The name of the consumer, in the pact and in its file name. */
  readonly consumer: string;
  /** The name of the provider. Default `plant-store`. */
  readonly provider?: string;
  /** The folder of the pact, relative to the working directory. Default `pacts`. */
  readonly dir?: string;
  /**
   * The status that a rejection must have. Default `any-4xx`: the interface documents 400 and does not show which
   * other 4xx a provider may use.
   */
  readonly rejectionStatus?: 'any-4xx' | number;
  /** How much Pact logs. Default `warn`. */
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error';
}

/**
 * A ready-made interaction: starts a mock server, lets `run` make the request, and keeps the interaction for the pact if
 * the request matched.
 *
 * @param run makes the request with the consumer's own client, and may check what the client returns
 * @param overrides what differs from the ready-made example
 * @returns what `run` returns
 * @throws what `run` throws; or Pact's Error, which says how the request differed from the interaction
 */
export type ReadyInteraction<Call, Overrides> = <T>(
  run: (call: Call) => Promise<T>,
  overrides?: Overrides,
) => Promise<T>;

/** The interactions of a consumer with the plant store. */
export interface PlantStorePact {
  readonly createsPlantWithTag: ReadyInteraction<
    calls.CreationCall<Required<NewPlant>>,
    calls.CreationOverrides<Required<NewPlant>>
  >;
  readonly createsPlantWithoutTag: ReadyInteraction<
    calls.CreationCall<Omit<NewPlant, 'tag'>>,
    calls.CreationOverrides<Omit<NewPlant, 'tag'>>
  >;
  /** The interface does not show the response to a duplicate id. Use this only if your provider rejects it. */
  readonly rejectsDuplicateId: ReadyInteraction<calls.RejectionCall, calls.RejectionOverrides>;
  /** By default the plant has no name. Another `body` replaces it. */
  readonly rejectsInvalidPlant: ReadyInteraction<calls.RejectionCall, calls.InvalidPlantOverrides>;
  /** Fails if the consumer sends an Authorization header. */
  readonly rejectsMissingToken: ReadyInteraction<calls.CallWithoutToken, calls.MissingTokenOverrides>;
  readonly rejectsWrongToken: ReadyInteraction<calls.RejectionCall, calls.RejectionOverrides>;
  /**
   * Any other interaction, built with Pact's own builder.
   *
   * @param build gets Pact's builder and returns what `willRespondWith` returns
   * @param run makes the request
   */
  interaction<T>(
    build: (pact: InteractionBuilder) => ExecutableInteraction,
    run: (mock: PactMock) => Promise<T>,
  ): Promise<T>;
}

/**
 * The pact of a consumer with the plant store, in version 4 of the Pact specification. Every request must match the
 * interface. Ids are exact over the whole range of int64. Examples are fixed, so the same tests always write the same
 * file.
 *
 * The interactions are collected, and merged into `<dir>/<consumer>-<provider>.json` when the run ends. In Vitest,
 * `globalSetup: ['plant-store-contract/pact/global-setup']` does this. A plain process does it when it exits. With any
 * other test runner, call `collectPacts`.
 *
 * @throws ToolkitError `invalid-option`, which names the option, or in the worker of a test runner if nothing collects
 *   its interactions; `missing-package` if Pact is not installed
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
 * await pact.createsPlantWithTag(async ({ url, token, plant, response }) => {
 *   const client = createPlantClient({ baseUrl: url, token });
 *   assert.deepEqual(await client.createPlant(plant), response);
 * });
 * await pact.rejectsWrongToken(async ({ url, token, plant, error }) => {
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
 * assert.equal(finish('complete')[0]?.interactions, 3);
 */
export function plantStorePact(options: PlantStorePactOptions): PlantStorePact {
  const settings = settingsOf(options);
  const status = specs.rejectionStatus(options.rejectionStatus ?? 'any-4xx');
  ensureCollection();
  const ready =
    <Call, Overrides extends object>(
      spec: (overrides: Overrides, usual: specs.ResponseStatus) => specs.InteractionSpec<Call>,
    ): ReadyInteraction<Call, Overrides> =>
    async (run, overrides = {} as Overrides) =>
      runReadyMade(settings, spec(overrides, status), run);
  return {
    createsPlantWithTag: ready(specs.createsPlantWithTag),
    createsPlantWithoutTag: ready(specs.createsPlantWithoutTag),
    rejectsDuplicateId: ready(specs.rejectsDuplicateId),
    rejectsInvalidPlant: ready(specs.rejectsInvalidPlant),
    rejectsMissingToken: ready(specs.rejectsMissingToken),
    rejectsWrongToken: ready(specs.rejectsWrongToken),
    interaction: (build, run) => runInteraction(settings, build, run),
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
        `the option "${option}" must be a name that a file name can contain; got ${JSON.stringify(name)}`,
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
