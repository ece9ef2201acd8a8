import type { ForwardedExchange, ForwardedRequest } from '../../proxy/message.js';
import { readJson } from '../../validation/json.js';
import type { JsonObject } from '../../validation/json-value.js';
import { type WritableJson, writeJson } from '../../validation/json-writer.js';
import { isObject, type ProviderState } from '../pact-file.js';
import { type IdReplacement, withId, withToken } from './rewrite.js';

/** What was done and seen for one interaction, between its first state and its end. */
export interface Scene {
  readonly states: ProviderState[];
  /** Why the provider could not be brought into a state; then no request is sent. */
  problem?: string;
  exchange?: ForwardedExchange;
  /** Whether a token was replaced. */
  tokenSwapped?: boolean;
}

/** What brings about a state, and what clears it up; rejects with why it cannot. */
export interface StateMaker {
  setUp(state: ProviderState, actions: SceneActions): Promise<{ readonly [name: string]: WritableJson }>;
  tearDown(state: ProviderState): Promise<void>;
}

/** What a state may change about the request of its interaction. */
export interface SceneActions {
  replaceId(id: number | bigint | undefined, by: number | bigint): void;
  keepToken(): void;
}

interface Changes {
  readonly ids: IdReplacement[];
  keepsToken: boolean;
}

/** What Pact sends before and after the request of an interaction: for each state, or once for none. */
interface StateCall {
  readonly action: 'setup' | 'teardown';
  readonly state: string;
  readonly params: JsonObject;
}

/**
 * Follows a verification: Pact sets up the states of an interaction, sends its request, and tears the states down,
 * one interaction after the other. It says so for an interaction without states as well, and so tells them apart.
 */
export class Scenes {
  readonly all: Scene[] = [];
  private changes: Changes = { ids: [], keepsToken: false };
  /** Whether the next state belongs to another interaction. */
  private isOver = true;

  /**
   * @param token sent in place of the tokens of pacts
   * @param keepsToken whether the token of the interaction with this index is sent as the pact has it
   */
  constructor(
    private readonly maker: StateMaker,
    private readonly token: string,
    private readonly keepsToken: (index: number) => boolean,
  ) {}

  /** Takes a call about a state, and gives the values that its setup has for generators, as JSON. */
  async state(body: Uint8Array): Promise<string> {
    const { action, state, params } = stateCallFrom(body);
    if (action === 'teardown') {
      this.isOver = true;
      if (state !== '') await this.guarded(() => this.maker.tearDown({ name: state, params }));
      return '{}';
    }
    if (this.isOver) this.begin();
    if (state === '') return '{}';
    this.current.states.push({ name: state, params });
    const values = await this.guarded(async () =>
      writeJson(await this.maker.setUp({ name: state, params }, this.actions())),
    );
    return values ?? '{}';
  }

  /**
   * The request of the current interaction as it is to be sent; `undefined` where its states could not be set up, and
   * for a second one: an interaction has one.
   */
  request(request: ForwardedRequest): ForwardedRequest | undefined {
    this.isOver = true;
    const { problem, exchange } = this.current;
    if (problem !== undefined || exchange !== undefined) return undefined;
    const sent = this.changes.ids.reduce(withId, request);
    if (this.changes.keepsToken || this.keepsToken(this.all.length - 1)) return sent;
    const swapped = withToken(sent, this.token);
    this.current.tokenSwapped = swapped.headers.some(([, value], i) => value !== sent.headers[i]?.[1]);
    return swapped;
  }

  /** What became of the request of the current interaction. */
  exchange(exchange: ForwardedExchange): void {
    this.current.exchange = exchange;
  }

  private get current(): Scene {
    return this.all.at(-1) ?? this.begin();
  }

  private begin(): Scene {
    const scene: Scene = { states: [] };
    this.all.push(scene);
    this.changes = { ids: [], keepsToken: false };
    this.isOver = false;
    return scene;
  }

  private actions(): SceneActions {
    const { changes } = this;
    return {
      replaceId: (id, by) => void changes.ids.push({ id, by }),
      keepToken: () => {
        changes.keepsToken = true;
      },
    };
  }

  /** Pact would try what fails twice more, a second later: it is told that all is well, and gets no answer then. */
  private async guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      this.current.problem ??= cause instanceof Error ? cause.message : String(cause);
      return undefined;
    }
  }
}

function stateCallFrom(body: Uint8Array): StateCall {
  const read = readJson(body);
  const call = read.ok && isObject(read.value) ? read.value : {};
  const { action, state, params } = call;
  return {
    action: action === 'teardown' ? 'teardown' : 'setup',
    state: typeof state === 'string' ? state : '',
    params: isObject(params) ? params : {},
  };
}
