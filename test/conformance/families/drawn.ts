import * as fc from 'fast-check';
import type { ProbeRequest } from 'plant-store-contract/conformance';
import { createPlantStore, type FaultName } from 'plant-store-contract/server';
import { type ProbeDraft, probeFrom } from '../../../src/conformance/families/draft.js';
import type { DrawDrafts } from '../../../src/conformance/families/explorers.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';

const token = 'a-token-of-these-tests';

/** Drafts of a family. A seed gives the same ones every time. */
export function drawn(draw: DrawDrafts, count = 400): readonly ProbeDraft[] {
  return fc.sample(draw(fc), { seed: 11, numRuns: count });
}

/** The bodies of the requests of a draft, with fresh values. */
export function bodiesOf(draft: ProbeDraft): readonly string[] {
  return probeFrom(draft)
    .requests(freshValues(token))
    .map(({ body }) => Buffer.from(body).toString());
}

/** A reference server with some faults: sends it a request, and returns its response. */
export function serverWith(
  faults: readonly FaultName[],
): (request: ProbeRequest) => Promise<{ readonly status: number; readonly text: string }> {
  const { fetch } = createPlantStore({ token, faults });
  return async ({ headers, body }) => {
    const fields = headers.map(([name, value]): [string, string] => [name, value]);
    const response = await fetch(
      new Request('http://localhost/plants', { method: 'POST', headers: fields, body }),
    );
    return { status: response.status, text: await response.text() };
  };
}

/** The drafts that a server does not treat as they expect. Any response is right if the expectation is `open`. */
export async function misjudged(drafts: readonly ProbeDraft[], faults: readonly FaultName[] = []) {
  const { fetch } = createPlantStore({ token, faults });
  const wrong: string[] = [];
  for (const draft of drafts) {
    for (const [at, request] of probeFrom(draft).requests(freshValues(token)).entries()) {
      const { status } = await fetch(
        new Request('http://localhost/plants', {
          method: 'POST',
          headers: request.headers.map(([name, value]) => [name, value]),
          body: request.body,
        }),
      );
      const expectation = request.expectation ?? draft.expectation;
      const isWrong =
        status >= 500 || (expectation !== 'open' && (status === 200) !== (expectation === 'created'));
      if (isWrong) wrong.push(`${status} at ${at}: ${bodiesOf(draft).join(' ')}`);
    }
  }
  return wrong;
}
