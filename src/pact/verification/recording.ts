import type { ForwardedExchange } from '../../http/exchange.js';
import type { ProviderState } from '../pact-file.js';
import type { IdReplacement } from './rewrite.js';

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

/** An interaction under way: what is known of it, and what its states change in its request. */
export interface CurrentInteraction extends RecordedInteraction {
  readonly ids: IdReplacement[];
  /** Whether the token of the pact is sent. */
  keepsToken: boolean;
}

/**
 * What happened in the verification of one pact, by interaction. For each interaction in turn, Pact sets the states up,
 * sends the request, and tears the states down. It also does so if an interaction has no state. This separates them.
 */
export class Recording {
  readonly interactions: CurrentInteraction[] = [];
  /** Whether the next state belongs to another interaction. */
  private isOver = true;

  /** @param keepsToken whether the token of the interaction with this index is sent unchanged */
  constructor(private readonly keepsToken: (index: number) => boolean) {}

  /** The interaction whose state is being set up. */
  settingUp(): CurrentInteraction {
    return this.isOver ? this.begin() : this.current;
  }

  /** The interaction whose states are being torn down. */
  tearingDown(): CurrentInteraction {
    const { current } = this;
    this.isOver = true;
    return current;
  }

  /**
   * The interaction whose request comes. `undefined` if its states could not be set up, and for a second request: an
   * interaction has only one.
   */
  sending(): CurrentInteraction | undefined {
    const { current } = this;
    this.isOver = true;
    if (current.problem !== undefined || current.exchange !== undefined) return undefined;
    current.sentAt = performance.now();
    return current;
  }

  /** Records the exchange of the current interaction. */
  exchange(exchange: ForwardedExchange): void {
    this.current.exchange = exchange;
  }

  /** Records that the request of the current interaction could not be forwarded. */
  rejected(reason: string): void {
    const { current } = this;
    this.isOver = true;
    if (current.exchange === undefined) current.problem ??= `the request cannot be forwarded: ${reason}`;
  }

  private get current(): CurrentInteraction {
    return this.interactions.at(-1) ?? this.begin();
  }

  private begin(): CurrentInteraction {
    const keepsToken = this.keepsToken(this.interactions.length);
    const interaction: CurrentInteraction = { states: [], ids: [], keepsToken };
    this.interactions.push(interaction);
    this.isOver = false;
    return interaction;
  }
}
