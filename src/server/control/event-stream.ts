import type { ServerResponse } from 'node:http';
import { writeJson } from '../../validation/json-writer.js';
import type { Engine } from '../engine.js';
import type { ControlRequest } from './control-request.js';
import { eventJson } from './json.js';
import { ALIVE, ALIVE_MS, beginEvents, eventText } from './server-sent-events.js';

/** So much is kept for readers that are behind. One that is further behind is disconnected; it may connect again. */
const MOST_KEPT_BYTES = 8 * 2 ** 20;

/**
 * Sends everything that happens, as server-sent events. The last events are kept once for all readers, and a reader
 * gets the next one when it has read those before: a slow one costs no more memory.
 */
export class EventStreams {
  /** Each reader, and the number of its next event. */
  private readonly readers = new Map<ServerResponse, number>();
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  /** The number of the first event that is kept. */
  private first = 0;
  private stopWatching = (): void => {};

  constructor(private readonly engine: Engine) {}

  readonly stream = ({ response, signal }: ControlRequest): 'streaming' => {
    beginEvents(response);
    response.write(': connected\n\n');
    response.on('drain', () => this.send(response));
    const alive = setInterval(() => response.writableNeedDrain || response.write(ALIVE), ALIVE_MS);
    if (this.readers.size === 0) this.watch();
    this.readers.set(response, this.next);
    const end = (): void => {
      clearInterval(alive);
      this.readers.delete(response);
      if (this.readers.size === 0) this.stop();
      response.end();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return 'streaming';
  };

  /** The number of the next event that happens. */
  private get next(): number {
    return this.first + this.kept.length;
  }

  private watch(): void {
    this.stopWatching = this.engine.watchers.watch((event) => {
      this.add(Buffer.from(eventText({ type: event.type, json: writeJson(eventJson(event)) })));
    });
  }

  private stop(): void {
    this.stopWatching();
    this.kept.length = 0;
    this.keptBytes = 0;
  }

  private add(event: Buffer): void {
    this.kept.push(event);
    this.keptBytes += event.length;
    for (const reader of this.readers.keys()) this.send(reader);
    const read = Math.min(this.next, ...this.readers.values());
    while (this.first < read || (this.keptBytes > MOST_KEPT_BYTES && this.kept.length > 1)) {
      this.keptBytes -= this.kept.shift()?.length ?? 0;
      this.first++;
    }
    for (const [reader, next] of this.readers) if (next < this.first) reader.destroy();
  }

  private send(reader: ServerResponse): void {
    let at = this.readers.get(reader) ?? this.next;
    while (at >= this.first && at < this.next && !reader.writableNeedDrain)
      reader.write(this.kept[at++ - this.first]);
    if (this.readers.has(reader)) this.readers.set(reader, at);
  }
}
