import type { Fields } from '../../header-fields.js';
import { startForwarder } from '../../proxy/forward.js';
import { statusOf, type Upstream } from '../../proxy/upstream.js';
import type { NewPlant } from '../../spec/types.js';
import { reasonOf } from '../../toolkit-error.js';
import { writeJson } from '../../validation/json-writer.js';
import type { VerifySettings } from './options.js';
import { Scenes } from './scenes.js';
import { freshIdLike } from './state-handlers.js';
import { byHandlers, byUrl, STATE_TIMEOUT_MS } from './state-makers.js';
import { startStateServer } from './state-server.js';

/** Pacts hold no bodies that are longer. */
const LONGEST_BODY = 16 * 2 ** 20;

/** Pact gives up later than the forwarder does, so that it is known what an answer was waited for. */
const PACT_PATIENCE_MS = 5_000;

/** What stands between Pact and the provider. */
export interface Stage {
  readonly options: { readonly providerBaseUrl: string; readonly provider: string };
  /** Begins to follow another verification. */
  begin(keepsToken: (index: number) => boolean): Scenes;
  /** Whether the provider has accepted a plant that a state asked for. */
  hasCreated(): boolean;
  /** Creates a plain plant with the token given; resolves with why that cannot be done. */
  control(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Starts what stands between Pact and the provider: a byte-exact forwarder, and what Pact calls about states. */
export async function startStage(settings: VerifySettings): Promise<Stage> {
  const { baseUrl, ca, insecure, timeoutMs, token, headers } = settings;
  const upstream: Upstream = { baseUrl, insecure, ...(ca !== undefined && { ca }) };
  let hasCreated = false;
  const createPlant = async (plant: NewPlant): Promise<void> => {
    await create(plant, settings, upstream);
    hasCreated = true;
  };
  const maker =
    settings.stateUrl === undefined ? byHandlers(settings.states, createPlant) : byUrl(settings.stateUrl);
  let scenes = new Scenes(maker, token, () => false);
  const forwarder = await startForwarder({
    ...{ upstream, timeoutMs, keptBytes: LONGEST_BODY },
    rewrite: (request) => {
      const sent = scenes.request(request);
      return sent && { ...sent, headers: [...sent.headers, ...headers] };
    },
    // Pact would follow a redirect, and judge what it finds there.
    rewriteResponse: (response) => ({
      ...response,
      headers:
        response.status >= 300 && response.status < 400
          ? response.headers.filter(([name]) => name.toLowerCase() !== 'location')
          : response.headers,
    }),
    onExchange: (seen) => scenes.exchange(seen),
  });
  const states = await startStateServer(() => scenes);
  return {
    options: {
      providerBaseUrl: forwarder.url,
      provider: settings.provider,
      providerStatesSetupUrl: states.url,
      providerStatesSetupTeardown: true,
      providerStatesSetupBody: true,
      timeout: Math.max(timeoutMs, STATE_TIMEOUT_MS) + PACT_PATIENCE_MS,
      logLevel: 'warn',
    } as Stage['options'],
    begin(keepsToken) {
      scenes = new Scenes(maker, token, keepsToken);
      return scenes;
    },
    hasCreated: () => hasCreated,
    control: () => createPlant({ name: 'Aloe', id: freshIdLike() }).then(() => undefined, reasonOf),
    async close() {
      await Promise.all([forwarder.close(), states.close()]);
    },
  };
}

/** @throws Error where the provider does not answer 200 */
async function create(
  plant: NewPlant,
  { token, headers, timeoutMs }: VerifySettings,
  upstream: Upstream,
): Promise<void> {
  const fields: Fields = [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
    ...headers,
  ];
  const request = { method: 'POST', target: '/plants', headers: fields, body: Buffer.from(writeJson(plant)) };
  const status = await statusOf(upstream, request, timeoutMs).catch((cause: Error) => cause.message);
  if (status === 200) return;
  const why = typeof status === 'string' ? status : `the provider answered ${status}`;
  throw new Error(`the plant could not be created: ${why}`);
}
