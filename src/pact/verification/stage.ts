import { startForwarder } from '../../proxy/forward.js';
import type { Fields } from '../../proxy/message.js';
import { statusOf, type Upstream } from '../../proxy/upstream.js';
import type { NewPlant } from '../../spec/types.js';
import { writeJson } from '../../validation/json-writer.js';
import type { VerifySettings } from './options.js';
import { Scenes, type StateMaker } from './scenes.js';
import { byHandlers, byUrl } from './state-makers.js';
import { startStateServer } from './state-server.js';

/** Pacts hold no bodies that are longer. */
const LONGEST_BODY = 16 * 2 ** 20;

/** Pact gives up later than the forwarder does, so that it is known what an answer was waited for. */
const PACT_PATIENCE_MS = 5_000;

/** What stands between Pact and the provider. */
export interface Stage extends AsyncDisposable {
  readonly options: { readonly providerBaseUrl: string; readonly provider: string };
  /** Begins to follow another verification. */
  begin(keepsToken: (index: number) => boolean): Scenes;
  /** Whether the provider has accepted a plant that a state asked for. */
  hasCreated(): boolean;
}

/** Starts what stands between Pact and the provider: a byte-exact forwarder, and what Pact calls about states. */
export async function startStage(settings: VerifySettings): Promise<Stage> {
  const { baseUrl, ca, insecure, timeoutMs, token, headers } = settings;
  const upstream: Upstream = { baseUrl, insecure, ...(ca !== undefined && { ca }) };
  let hasCreated = false;
  const maker = stateMaker(settings, upstream, () => {
    hasCreated = true;
  });
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
      headers: response.headers.filter(([name]) => name.toLowerCase() !== 'location'),
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
      timeout: timeoutMs + PACT_PATIENCE_MS,
      logLevel: 'warn',
    } as Stage['options'],
    begin(keepsToken) {
      scenes = new Scenes(maker, token, keepsToken);
      return scenes;
    },
    hasCreated: () => hasCreated,
    async [Symbol.asyncDispose]() {
      await Promise.all([forwarder.close(), states[Symbol.asyncDispose]()]);
    },
  };
}

function stateMaker(
  { stateUrl, states, token, headers, timeoutMs }: VerifySettings,
  upstream: Upstream,
  onCreated: () => void,
): StateMaker {
  if (stateUrl !== undefined) return byUrl(stateUrl);
  const fields: Fields = [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
    ...headers,
  ];
  return byHandlers(states, async (plant: NewPlant) => {
    const body = Buffer.from(writeJson(plant));
    const request = { method: 'POST', target: '/plants', headers: fields, body };
    const status = await statusOf(upstream, request, timeoutMs).catch((cause: Error) => cause.message);
    if (status === 200) return onCreated();
    const why = typeof status === 'string' ? status : `the provider answered ${status}`;
    throw new Error(`the plant could not be created: ${why}`);
  });
}
