import type { ProbeRequest } from 'plant-store-contract/conformance';
import { requestsOf as made, probeOf, type Row } from '../../../src/conformance/row.js';
import { freshValues } from '../../../src/conformance/template.js';
import { Store } from '../../../src/server/plant-store.js';
import { settingsFrom } from '../../../src/server/settings.js';
import { type AnyFaultName, faultsNamed } from '../faults/index.js';

const TOKEN = 'a-Token-of_these.tests';

/** The requests of a row, with fresh values. */
export function requestsOf(row: Row): readonly ProbeRequest[] {
  return made(row, freshValues(TOKEN));
}

export function textOf(request: ProbeRequest | undefined): string {
  return Buffer.from(request?.body ?? []).toString();
}

export function bodiesOf(row: Row): readonly string[] {
  return requestsOf(row).map(textOf);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Sends requests to one reference server with some faults. A `Request` for each would take half of the time. */
export function serverWith(
  faults: readonly AnyFaultName[] = [],
): (request: ProbeRequest) => Promise<{ readonly status: number; readonly text: string }> {
  const store = new Store(settingsFrom({ token: TOKEN, faults: faultsNamed(...faults) }));
  return async ({ headers, body, query = '' }) => {
    const fields = headers.flat();
    const target = `/plants${query}`;
    const received = { method: 'POST', target, headers: fields, body, connection: {} };
    const { delivery } = await store.answer(received);
    return { status: delivery.status, text: Buffer.from(delivery.body, 'latin1').toString() };
  };
}

/**
 * The first of several rows that a server with some faults does not treat as it expects, in one of its requests. Any
 * response is right if the expectation is `open`, unless it is no response of a plant store.
 */
export async function misjudged(
  rows: Iterable<Row>,
  faults: readonly AnyFaultName[] = [],
): Promise<Row | undefined> {
  const [send, sendToReference] = [serverWith(faults), serverWith()];
  for (const row of rows)
    for (const request of requestsOf(row)) {
      const { status, text } = await send(request);
      const expectation = request.expectation ?? probeOf(row).expectation;
      if (status >= 500) return row;
      if (expectation !== 'open' && (status === 200) !== (expectation === 'created')) return row;
      if (status === 200 && isChanged(request, text)) return row;
      // A correct rejection may quote a U+FFFD, too.
      if (isDamaged(text) && !isDamaged((await sendToReference(request)).text)) return row;
    }
  return undefined;
}

function isChanged({ plant }: ProbeRequest, text: string): boolean {
  if (plant === undefined) return false;
  const { id: _id, ...sent } = plant;
  return JSON.stringify(JSON.parse(text)) !== JSON.stringify(sent);
}

function isDamaged(text: string): boolean {
  return text.includes('\ufffd') || !isJson(text);
}
