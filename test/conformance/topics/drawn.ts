import * as fc from 'fast-check';
import type { ProbeRequest } from 'plant-store-contract/conformance';
import type { FaultName } from 'plant-store-contract/server';
import { freshValues } from '../../../src/conformance/probe.js';
import { type DrawnRow, probeOf, type Row } from '../../../src/conformance/row.js';
import { Engine } from '../../../src/server/engine.js';
import { settingsFrom } from '../../../src/server/options.js';

export const TOKEN = 'a-Token-of_these.tests';

/** Drafts of a family. A seed gives the same ones every time. */
export function drawn<Draft extends DrawnRow>(
  draw: (fastCheck: typeof fc) => fc.Arbitrary<Draft>,
  count = 400,
  seed = 11,
): readonly Draft[] {
  return fc.sample(draw(fc), { seed, numRuns: count });
}

/** The requests of a draft, with fresh values. */
export function requestsOf(draft: DrawnRow | Row): readonly ProbeRequest[] {
  const probe = probeOf(draft);
  return probe.requests(freshValues(TOKEN));
}

export function textOf(request: ProbeRequest | undefined): string {
  return Buffer.from(request?.body ?? []).toString();
}

export function bodiesOf(draft: DrawnRow | Row): readonly string[] {
  return requestsOf(draft).map(textOf);
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
  faults: readonly FaultName[] = [],
): (request: ProbeRequest) => Promise<{ readonly status: number; readonly text: string }> {
  const { pipeline } = new Engine(settingsFrom({ token: TOKEN, faults }));
  return async ({ headers, body, query = '' }) => {
    const fields = headers.flat();
    const target = `/plants${query}`;
    const outgoing = await pipeline({ method: 'POST', target, headers: fields, body, connection: {} });
    return { status: outgoing.status, text: Buffer.from(outgoing.body as string).toString() };
  };
}

/**
 * The first of several drafts that a server with some faults does not treat as it expects, in one of its requests. Any
 * response is right if the expectation is `open`, unless it is no response of a plant store.
 */
export async function misjudged(
  drafts: Iterable<DrawnRow>,
  faults: readonly FaultName[] = [],
): Promise<DrawnRow | undefined> {
  const [send, sendToReference] = [serverWith(faults), serverWith()];
  for (const draft of drafts)
    for (const request of requestsOf(draft)) {
      const { status, text } = await send(request);
      const expectation = request.expectation ?? probeOf(draft).expectation;
      if (status >= 500) return draft;
      if (expectation !== 'open' && (status === 200) !== (expectation === 'created')) return draft;
      if (status === 200 && isChanged(request, text)) return draft;
      // A correct rejection may quote a U+FFFD, too.
      if (isDamaged(text) && !isDamaged((await sendToReference(request)).text)) return draft;
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
