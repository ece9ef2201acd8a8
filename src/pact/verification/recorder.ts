import type { ForwardedExchange, ForwardedRequest } from '../../http/exchange.js';
import { reasonOf } from '../../toolkit-error.js';
import { readJson } from '../../validation/json.js';
import { objectOf } from '../../validation/json-value.js';
import { writeJson } from '../../validation/json-writer.js';
import type { ProviderState } from '../pact-file.js';
import { integerOf, providerStates } from '../states.js';
import { type IdReplacement, withId, withToken } from './rewrite.js';
import type { StateContext, StateValues } from './state-handlers.js';

/** What happened for one interaction, from its first state to its end. */
export interface RecordedInteraction {
  readonly states: ProviderState[];
  /** Why a state could not be set up, or the request of the pact not be forwarded. Then no request is sent. */
  problem?: string;
  exchange?: ForwardedExchange;
  /** When the request was sent, by the clock of `performance`. */
  sentAt?: number;
  /** Whether its token was replaced. */
  tokenReplaced?: boolean;
  /** Whether a plant with its id was created earlier in the verification. */
  idExists?: boolean;
}

/** Sets states up and tears them down. A promise rejects with the reason why this is not possible. */
export interface StateRunner {
  setUp(state: ProviderState, actions: RequestActions): Promise<StateValues>;
  tearDown(state: ProviderState): Promise<void>;
}

/** What a state can change in the request of its interaction. */
export type RequestActions = Pick<StateContext, 'replaceId' | 'keepToken'>;

/**
 * Records the verification of one pact. For each interaction in turn, Pact sets the states up, sends the request, and
 * tears the states down. It also does so if an interaction has no state. This separates the interactions.
 */
export class Recorder {
  readonly interactions: RecordedInteraction[] = [];
  private changes = { ids: [] as IdReplacement[], keepsToken: false };
  /** Whether the next state belongs to another interaction. */
  private isOver = true;

  /**
   * @param token replaces the tokens of the pact
   * @param keepsToken whether the token of the interaction with this index is sent unchanged
   * @param createdIds the ids of the plants that were created so far
   */
  constructor(
    private readonly states: StateRunner,
    private readonly token: string,
    private readonly keepsToken: (index: number) => boolean,
    private readonly createdIds: Set<bigint>,
  ) {}

  /** Handles a call about a state. Returns the values of its setup for generators, as JSON. */
  async state(body: Uint8Array): Promise<string> {
    const read = readJson(body);
    const { action, state: name, params: given } = objectOf(read.ok ? read.value : undefined);
    const params = objectOf(given);
    // Pact calls for each state, or once without a name if there is none.
    const state = typeof name === 'string' && name !== '' ? { name, params } : undefined;
    if (action === 'teardown') {
      this.isOver = true;
      if (state !== undefined) await this.guarded(() => this.states.tearDown(state));
      return '{}';
    }
    if (this.isOver) this.begin();
    if (state === undefined) return '{}';
    this.current.states.push(state);
    // Whoever sets this state up: with the token of the verification, it would not be this state.
    if (state.name === providerStates.tokenIsNotValid) this.changes.keepsToken = true;
    const values = await this.guarded(async () => writeJson(await this.states.setUp(state, this.actions())));
    return values ?? '{}';
  }

  /**
   * The request of the current interaction as it must be sent. `undefined` if its states could not be set up, and for a
   * second request: an interaction has only one.
   */
  request(request: ForwardedRequest): ForwardedRequest | undefined {
    this.isOver = true;
    const { problem, exchange } = this.current;
    if (problem !== undefined || exchange !== undefined) return undefined;
    this.current.sentAt = performance.now();
    const sent = this.changes.ids.reduce(withId, request);
    const id = idIn(sent.body);
    this.current.idExists = id !== undefined && this.createdIds.has(id);
    if (this.changes.keepsToken || this.keepsToken(this.interactions.length - 1)) return sent;
    const replaced = withToken(sent, this.token);
    this.current.tokenReplaced = replaced.headers.some(([, value], i) => value !== sent.headers[i]?.[1]);
    return replaced;
  }

  /** Records the exchange of the current interaction. */
  exchange(exchange: ForwardedExchange): void {
    this.current.exchange = exchange;
    const id = exchange.response?.status === 200 ? idIn(exchange.request.body) : undefined;
    if (id !== undefined) this.createdIds.add(id);
  }

  /** Records that the request of the current interaction could not be forwarded. */
  rejected(reason: string): void {
    this.isOver = true;
    const { current } = this;
    if (current.exchange === undefined) current.problem ??= `the request cannot be forwarded: ${reason}`;
  }

  private get current(): RecordedInteraction {
    return this.interactions.at(-1) ?? this.begin();
  }

  private begin(): RecordedInteraction {
    const interaction: RecordedInteraction = { states: [] };
    this.interactions.push(interaction);
    this.changes = { ids: [], keepsToken: false };
    this.isOver = false;
    return interaction;
  }

  private actions(): RequestActions {
    const { changes } = this;
    return {
      replaceId: (id, by) => void changes.ids.push({ id, by }),
      keepToken: () => {
        changes.keepsToken = true;
      },
    };
  }

  /** Pact would retry a failed state twice, a second later. So it always gets a success, and then no response. */
  private async guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      this.current.problem ??= reasonOf(cause);
      return undefined;
    }
  }
}

/** The exact id in the body of a request. */
function idIn(body: Uint8Array): bigint | undefined {
  const read = readJson(body);
  return read.ok ? integerOf(objectOf(read.value).id) : undefined;
}
