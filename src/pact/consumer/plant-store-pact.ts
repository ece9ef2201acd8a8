import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  V4InteractionWithResponse,
  V4MockServer,
  V4UnconfiguredInteraction,
} from '@pact-foundation/pact/src/v4/http/types.js';
import { headerValues } from '../../http/fields.js';
import { startForwarder } from '../../http/forwarder.js';
import { operation } from '../../spec/operation.js';
import { invalidOption, ToolkitError } from '../../toolkit-error.js';
import { loadPact } from '../installed-pact.js';
import { folderFor } from './collection.js';
import type { InteractionSpec } from './interactions.js';
import * as specs from './interactions.js';

/** Options of {@link plantStorePact}. */
export interface PlantStorePactOptions {
  /** The name of the consumer, in the pact and in its file name. */
  readonly consumer: string;
  /** The name of the provider. Default `plant-store`. */
  readonly provider?: string | undefined;
  /** The folder of the pact, relative to the working directory. Default `pacts`. */
  readonly dir?: string | undefined;
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
export type ReadyInteraction<Call> = <T>(
  run: (call: Call) => Promise<T>,
  overrides?: specs.Overrides,
) => Promise<T>;

/** The interactions of a consumer with the plant store. */
export interface PlantStorePact {
  readonly createsPlantWithTag: ReadyInteraction<specs.CreationCall>;
  readonly createsPlantWithoutTag: ReadyInteraction<specs.CreationCall>;
  /** By default the plant has no name. Another `body` replaces it. */
  readonly rejectsInvalidPlant: ReadyInteraction<specs.RejectionCall>;
  /** Fails if the consumer sends an Authorization header. */
  readonly rejectsMissingToken: ReadyInteraction<specs.CallWithoutToken>;
  readonly rejectsWrongToken: ReadyInteraction<specs.RejectionCall>;
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
 * In Vitest, `globalSetup: ['plant-store-contract/pact/global-setup']` collects the interactions of all workers, and merges
 * them into `<dir>/<consumer>-<provider>.json` when the run ends. Elsewhere Pact adds each interaction to that file, which one
 * process at a time may do. It removes none: delete the file first.
 *
 * @throws ToolkitError `invalid-option`, which names the option; `missing-package` if Pact is not installed
 * @example
 * import assert from 'node:assert/strict';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { createPlantClient } from 'plant-store-contract/client';
 * import { plantStorePact } from 'plant-store-contract/pact';
 *
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
 */
export function plantStorePact(options: PlantStorePactOptions): PlantStorePact {
  const settings = settingsOf(options);
  const ready =
    <Call>(spec: (overrides: specs.Overrides) => specs.InteractionSpec<Call>): ReadyInteraction<Call> =>
    async (run, overrides = {}) =>
      runReadyMade(settings, spec(overrides), run);
  return {
    createsPlantWithTag: ready(specs.createsPlantWithTag),
    createsPlantWithoutTag: ready(specs.createsPlantWithoutTag),
    rejectsInvalidPlant: ready(specs.rejectsInvalidPlant),
    rejectsMissingToken: ready(specs.rejectsMissingToken),
    rejectsWrongToken: ready(specs.rejectsWrongToken),
    interaction: (build, run) => runInteraction(settings, build, run),
  };
}

function settingsOf({ consumer, provider = 'plant-store', dir = 'pacts' }: PlantStorePactOptions) {
  for (const [option, name] of Object.entries({ consumer, provider })) {
    if (typeof name !== 'string' || !/^[^/\\\p{Cc}]+$/u.test(name))
      throw invalidOption(
        `the option "${option}" must be a name that a file name can contain; got ${JSON.stringify(name)}`,
      );
  }
  return { consumer, provider, file: resolve(dir, `${consumer}-${provider}.json`), ...loadPact() };
}

type PactSettings = ReturnType<typeof settingsOf>;

/** What Pact builds one interaction with: `given`, `uponReceiving`, `withRequest` and so on. */
export type InteractionBuilder = V4UnconfiguredInteraction;

/** The mock server of one interaction: `url` has no slash at the end. */
export type PactMock = V4MockServer;

/** An interaction that is built: what `willRespondWith` returns. */
export type ExecutableInteraction = Pick<V4InteractionWithResponse, 'executeTest'>;

/**
 * Builds one interaction, starts its mock server, runs the consumer's code, and keeps the interaction if the request
 * matched. Each interaction has a Pact object of its own. So an interaction that was built but not executed never gets into
 * a pact.
 *
 * @returns what `run` returns
 * @throws Pact's error if the request did not match or did not come, or what `run` throws; ToolkitError `invalid-option` in a
 *   worker of a test runner, if its interactions would be lost
 */
async function runInteraction<T>(
  { consumer, provider, file, pact, version }: PactSettings,
  build: (pact: InteractionBuilder) => ExecutableInteraction,
  run: (mock: PactMock) => Promise<T>,
): Promise<T> {
  const waits = Number.parseInt(version, 10) < FIRST_VERSION_WITHOUT_WAIT;
  const dir = folderFor(file);
  const own = new pact.PactV4({ consumer, provider, dir, logLevel: 'warn' });
  const interaction = build(own.addInteraction());
  // Pact's type is `T | undefined`, but it returns what the callback returned, or rejects.
  return (await interaction.executeTest(async (mock) => {
    const result = await run(mock);
    if (waits) await untilRecorded((own as unknown as { readonly pact: MockServer }).pact, mock.port);
    return result;
  })) as T;
}

function runReadyMade<Call, T>(
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
  builder: InteractionBuilder,
  { pact: { HTTPResponseStatusClass, MatchersV3 } }: PactSettings,
  { description, states, authorization, request, response, status }: InteractionSpec<unknown>,
): ExecutableInteraction {
  for (const { name, params } of states) builder.given(name, params);
  return builder
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
      status ?? MatchersV3.matchStatus(specs.USUAL_REJECTION, HTTPResponseStatusClass.ClientError),
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
    return await run({ ...mock, url: forwarder.url, port: forwarder.port });
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

/** Waits until the mock server has recorded the request that it served, for a second at most. */
async function untilRecorded(server: MockServer, port: number): Promise<void> {
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    await sleep(WAIT_MS);
    if (server.mockServerMatchedSuccessfully(port)) return;
    // A request that does not match was received: that will not change.
    if (server.mockServerMismatches(port).some(({ type }) => type !== 'missing-request')) return;
  }
}
