import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { definedOnly } from '../../defined-only.js';
import { type Listening, listen } from '../../http/address.js';
import { readWithin } from '../../http/collected-bytes.js';
import type { ForwardedExchange, RequestHead, ResponseHead } from '../../http/exchange.js';
import { type Fields, fieldsFrom, headerValues } from '../../http/fields.js';
import { endToEnd } from '../../http/framing.js';
import { limits } from '../../http/limits.js';
import { sendRequest } from '../../http/route.js';
import { isOperation, operation, operationUrl } from '../../spec/operation.js';
import type { NewPlant } from '../../spec/types.js';
import { reasonOf } from '../../toolkit-error.js';
import { decodeContent } from '../../validation/content-coding.js';
import { readJson, replacedAt, writeJson } from '../../validation/json.js';
import { objectOf } from '../../validation/json-value.js';
import type { ProviderState } from '../pacts.js';
import { integerOf, isInt64, providerStates } from '../states.js';
import type { VerifySettings } from './options.js';
import { freshIdLike, type RunState, STATE_TIMEOUT_MS, statesByHandlers, statesByUrl } from './states.js';

/** Pact's timeout is longer than that of a request to the provider, which is so reported first. */
const ADDITIONAL_TIMEOUT_MS = 5_000;

/** Everything between Pact and the provider. */
export type VerificationProxy = Awaited<ReturnType<typeof startVerificationProxy>>;

/** What happened for one interaction, from its first state to its end. */
export interface RecordedInteraction {
  readonly states: ProviderState[];
  /** What its states change in its request. */
  readonly ids: IdReplacement[];
  /** Whether the token of the pact is sent. */
  keepsToken: boolean;
  /** Why a state could not be set up. Then no request is sent. */
  problem?: string;
  exchange?: ForwardedExchange;
  sentAt?: Date;
  /** Whether a plant with its id was created earlier in the verification. */
  idExists?: boolean;
}

/** A request of Pact. It is read as a whole before it is changed and sent. */
type PactRequest = RequestHead & { readonly body: Uint8Array };

/** Starts a server between Pact and the provider, and one that Pact calls for states. */
export async function startVerificationProxy(settings: VerifySettings) {
  const { route, timeoutMs, token, provider, stateRoute } = settings;
  const createdIds = new Set<bigint>();
  let isTestable = false;
  let recording = new Recording(() => false);

  /** @throws Error with the reason why the plant was not accepted */
  const create = async (plant: NewPlant): Promise<void> => {
    const headers = [
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
    ] as const;
    const request = { method: operation.method, headers, body: writeJson(plant) };
    const to = { ...route, url: operationUrl(settings.baseUrl) };
    const { status } = await sendRequest(to, request, { timeoutMs, longestBody: limits.body });
    isTestable ||= isJudged(status);
    if (status !== 200) throw new Error(`the provider returned ${status}${suspicion(status)}`);
  };
  /** Sends the request of an interaction to the provider, changed. If Pact must get no response, its connection is closed. */
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url: target = '', rawHeaders } = incoming;
    const isFraming = ([name]: Fields[number]): boolean => /^(?:host|content-length)$/i.test(name);
    const headers = endToEnd(fieldsFrom(rawHeaders)).filter((field) => !isFraming(field));
    // No request is longer than its pact.
    const body = (await readWithin(incoming, limits.pact)) ?? Buffer.of();
    const given: PactRequest = { method, target, headers, body };
    const interaction = recording.sending();
    const withIds = interaction.ids.reduce(withId, given);
    const request = interaction.keepsToken ? withIds : withToken(withIds, token);
    const id = idIn(request.body);
    interaction.idExists = id !== undefined && createdIds.has(id);
    const start = performance.now();
    const { response, failure } = await responseTo(request, settings);
    isTestable ||= isOperation(request.method, request.target) && isJudged(response?.status);
    if (response?.status === 200 && id !== undefined) createdIds.add(id);
    const durationMs = performance.now() - start;
    interaction.exchange = definedOnly({ request: whole(request), response, failure, durationMs });
    if (response === undefined || failure !== undefined) outgoing.destroy();
    else outgoing.writeHead(response.status, fieldsForPact(response).flat()).end(response.body);
  };
  const forwarder = await startServer(forward);
  const run = stateRoute === undefined ? statesByHandlers(settings.states) : statesByUrl(stateRoute);
  const stateServer = await startServer(async (incoming, outgoing) => {
    const call = (await readWithin(incoming, limits.pact)) ?? Buffer.of();
    const values = await answerTo(call, run, recording, create);
    outgoing.setHeader('content-type', 'application/json').end(values);
  });
  return {
    options: {
      providerBaseUrl: forwarder.url,
      provider,
      providerStatesSetupUrl: `${stateServer.url}/states`,
      providerStatesSetupTeardown: true,
      providerStatesSetupBody: true,
      timeout: Math.max(timeoutMs, STATE_TIMEOUT_MS) + ADDITIONAL_TIMEOUT_MS,
      logLevel: 'warn',
    },
    /**
     * Begins to record another pact.
     *
     * @param keepsToken whether the token of the interaction with this index is sent unchanged
     * @returns what happens for its interactions, in the order in which Pact verifies them
     */
    record(keepsToken: (index: number) => boolean): readonly RecordedInteraction[] {
      recording = new Recording(keepsToken);
      return recording.interactions;
    },
    /**
     * Why the provider cannot be tested: it has accepted no plant, neither of a pact nor of a state nor a plain one, which is
     * sent only then. So nothing shows that the token is right, and a rejection proves nothing. A 5xx can be judged.
     */
    async whyUntestable(): Promise<string | undefined> {
      if (isTestable) return undefined;
      const why = await create({ name: 'Aloe', id: freshIdLike() }).then(() => '', reasonOf);
      return isTestable ? undefined : `it accepted no plant: ${why}`;
    },
    async close(): Promise<void> {
      forwarder.close();
      stateServer.close();
    },
  };
}

/** The response of the provider, or why Pact gets none. */
async function responseTo(
  { method, target, headers, body }: PactRequest,
  { route, timeoutMs }: VerifySettings,
): Promise<Pick<ForwardedExchange, 'response' | 'failure'>> {
  const path = route.url.pathname.replace(/\/+$/, '') + target;
  const sent = { method, path, headers, ...(body.length > 0 && { body }) };
  try {
    const response = whole(await sendRequest(route, sent, { timeoutMs, longestBody: limits.body }));
    // Pact undoes content codings without limits. A response to HEAD has them, but no body.
    const codings = response.bodyLength === 0 ? [] : headerValues(response.headers, 'content-encoding');
    const decoded = decodeContent(response.body, codings, limits.body);
    return typeof decoded !== 'string'
      ? { response }
      : { response, failure: `the response cannot be read: ${decoded}` };
  } catch (cause) {
    const isOfNode = (cause as NodeJS.ErrnoException).code !== undefined;
    return { failure: `${isOfNode ? 'no whole response: ' : ''}${reasonOf(cause)}` };
  }
}

function whole<Message extends { readonly body: Uint8Array }>(message: Message) {
  return { ...message, bodyLength: message.body.length, complete: true };
}

/** The fields that Pact gets. It would follow a redirect and judge the second response. */
function fieldsForPact({ status, headers }: ResponseHead): Fields {
  const isRedirect = status >= 300 && status < 400;
  return endToEnd(headers).filter(([name]) => !isRedirect || name.toLowerCase() !== 'location');
}

/** Whether the response to a creation says something of the provider, whatever the token. */
function isJudged(status = 0): boolean {
  return (status >= 200 && status < 300) || status >= 500;
}

/** The most common reason why a provider rejects a valid plant with the token of the verification. */
function suspicion(status: number): string {
  if (status === 404 || status === 405)
    return '. Is the base URL right? The paths of the pacts are appended to it';
  // Most providers say 401, but the interface documents only 400.
  return [400, 401, 403].includes(status)
    ? '. Is the token right? Set it with --token or PLANT_STORE_TOKEN'
    : '';
}

/**
 * What happened in the verification of one pact, by interaction. For each interaction in turn, Pact sets the states up,
 * sends the request, and tears the states down. It also does so if an interaction has no state. This separates them.
 */
class Recording {
  readonly interactions: RecordedInteraction[] = [];
  /** Whether the next state belongs to another interaction. */
  private isOver = true;

  constructor(private readonly keepsToken: (index: number) => boolean) {}

  get current(): RecordedInteraction {
    return this.interactions.at(-1) ?? this.begin();
  }

  /** The interaction that a call about a state belongs to. */
  calling(isTeardown: boolean): RecordedInteraction {
    const interaction = isTeardown || !this.isOver ? this.current : this.begin();
    this.isOver = isTeardown;
    return interaction;
  }

  /**
   * The interaction whose request comes.
   *
   * @throws Error if its states could not be set up, and for a second request: an interaction has only one
   */
  sending(): RecordedInteraction {
    const { current } = this;
    this.isOver = true;
    if (current.problem !== undefined || current.exchange !== undefined) throw new Error('no request is due');
    current.sentAt = new Date();
    return current;
  }

  private begin(): RecordedInteraction {
    const keepsToken = this.keepsToken(this.interactions.length);
    const interaction: RecordedInteraction = { states: [], ids: [], keepsToken };
    this.interactions.push(interaction);
    return interaction;
  }
}

interface IdReplacement {
  /** The id to replace; `undefined` for any id except 0. */
  readonly id: number | bigint | undefined;
  readonly by: number | bigint;
}

/**
 * A request with the token of this verification instead of the pact's token. If it has no bearer token, none is added:
 * the interaction may be about that.
 */
function withToken(request: PactRequest, token: string): PactRequest {
  const headers = request.headers.map(([name, value]): Fields[number] => {
    if (name.toLowerCase() !== 'authorization') return [name, value];
    return [name, value.replace(/^(bearer +)\S.*$/is, (_all, scheme: string) => scheme + token)];
  });
  return { ...request, headers };
}

/** A request with another id in its body. All other bytes stay unchanged. */
function withId(request: PactRequest, { id, by }: IdReplacement): PactRequest {
  const value = idIn(request.body);
  // If the id is not valid, the interaction is about that.
  if (value === undefined || !isInt64(value)) return request;
  if (id === undefined ? value === 0n : value !== integerOf(id)) return request;
  const body = replacedAt(Buffer.from(request.body).toString(), ['id'], String(by));
  return body === undefined ? request : { ...request, body: Buffer.from(body) };
}

/** The exact id in the body of a request. */
function idIn(body: Uint8Array): bigint | undefined {
  const read = readJson(body);
  return read.ok ? integerOf(objectOf(read.value).id) : undefined;
}

/** Listens on the loopback interface for Pact. A response that cannot be made closes its connection. */
async function startServer(
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listening & { close(): void }> {
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { ...(await listen(server, '127.0.0.1', 0)), close };
}

/** Handles a call about a state. Returns the values of its setup for generators, as JSON. */
async function answerTo(
  call: Uint8Array,
  run: RunState,
  recording: Recording,
  createPlant: (plant: NewPlant) => Promise<void>,
): Promise<string> {
  const read = readJson(call);
  const { action, state: name, params } = objectOf(read.ok ? read.value : undefined);
  const isTeardown = action === 'teardown';
  const interaction = recording.calling(isTeardown);
  // Pact calls for each state, or once without a name if there is none.
  if (typeof name !== 'string' || name === '') return '{}';
  const state = { name, params: objectOf(params) };
  if (!isTeardown) {
    interaction.states.push(state);
    // Whoever sets this state up: with the token of the verification, it would not be this state.
    if (name === providerStates.tokenIsNotValid) interaction.keepsToken = true;
  }
  try {
    const values = await run(isTeardown ? 'teardown' : 'setup', state, {
      createPlant,
      replaceId: (id, by) => void interaction.ids.push({ id, by }),
    });
    return writeJson(values);
  } catch (cause) {
    // Pact would retry a failed state twice, a second later. So it always gets a success, and then no response.
    interaction.problem ??= reasonOf(cause);
    return '{}';
  }
}
