import type { StoreEvent } from '../server/events.js';
import { readJsonText } from '../validation/json.js';
import type { JsonObject } from '../validation/json-value.js';
import { requestFrom } from './read-json.js';

/** A longer event is none of ours. */
const LONGEST_EVENT = 64 * 2 ** 20;

/** The events of a response; it ends when the connection does. */
export async function* eventsIn(response: Response): AsyncGenerator<StoreEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > LONGEST_EVENT) return;
    for (const block of blocks) {
      const [, type, json] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      const read = json === undefined ? undefined : readJsonText(json);
      if (read?.ok === true && type !== undefined) yield eventFrom(type, read.value);
    }
  }
}

function eventFrom(type: string, data: unknown): StoreEvent {
  if (type === 'request') return { type, request: requestFrom(data as JsonObject) };
  if (type === 'cleared') return { type, ...(data as { what: 'plants' }) };
  return { type, [type]: data } as unknown as StoreEvent;
}
