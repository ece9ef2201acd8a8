import type { NewPlant } from '../spec/types.js';
import type { IncomingRequest, Responded } from './exchange.js';
import type { Failure } from './failures/failure.js';
import type { FaultName } from './faults/names.js';
import type { RuntimeOptions } from './options.js';
import type { LoggedRequest, ReceivedRequest } from './store.js';

/** A received request with its number: 1 for the first one. The numbers go on after a reset. */
export interface NumberedRequest extends ReceivedRequest {
  readonly number: number;
}

/** Something that happened in a store. */
export type StoreEvent =
  | { readonly type: 'request'; readonly request: NumberedRequest }
  | { readonly type: 'plant'; readonly plant: NewPlant }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'faults'; readonly faults: readonly FaultName[] }
  | { readonly type: 'options'; readonly options: RuntimeOptions }
  | { readonly type: 'cleared'; readonly what: 'plants' | 'requests' | 'failures' };

/** Is given each exchange as it is, tokens included, and as it will be sent. */
export type ExchangeListener = (request: IncomingRequest, responded: Responded) => void;

/** The functions that a store calls for each event. */
export class Watchers {
  /** Called for each exchange while it is set: it must be fast. */
  onExchange: ExchangeListener | undefined;
  /** Called for each request, without tokens, while it is set. */
  onRequest: ((line: LoggedRequest) => void) | undefined;
  private readonly all = new Set<(event: StoreEvent) => void>();
  /** Whether anybody watches. Otherwise an event need not be made. */
  isWatched = false;

  /** @returns a function that ends it */
  watch(watcher: (event: StoreEvent) => void): () => void {
    this.all.add(watcher);
    this.isWatched = true;
    return () => {
      this.all.delete(watcher);
      this.isWatched = this.all.size > 0;
    };
  }

  tell(event: StoreEvent): void {
    for (const watcher of [...this.all]) watcher(event);
  }
}
