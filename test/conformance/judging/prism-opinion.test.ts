import { describe, expect, test } from 'vitest';
import { prismOpinion } from '../../../src/conformance/judging/prism-opinion.js';
import { keptResponse } from '../../../src/conformance/response-body.js';
import { loadPrism } from '../../../src/validation/prism.js';
import { exchange, response } from '../recorded.js';

const TYPE = ['content-type', 'application/json'] as const;
const withBody = (index: number, body: string) =>
  exchange({ index, response: keptResponse(response(200, [TYPE], body), undefined) });

describe('Prism is not asked', () => {
  test('about long bodies and about deep ones, and the opinion says so', async () => {
    const deep = `{"name":"Aloe","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const long = `{"name":"Aloe","x":"${'y'.repeat(70_000)}"}`;
    const opinion = prismOpinion(
      await loadPrism(),
      [withBody(0, '{"name":"Aloe"}'), withBody(1, deep), withBody(2, long), withBody(3, long)],
      [],
      60_000,
    );
    expect(opinion.exchanges).toBe(1);
    expect(opinion.notAsked).toEqual([
      { why: 'the JSON of the response nests deeper than 500 levels', exchanges: [1] },
      { why: 'the body of the response has more than 65536 bytes', exchanges: [2, 3] },
    ]);
  });

  test('about anything when its time is over', async () => {
    const opinion = prismOpinion(await loadPrism(), [withBody(0, '{"name":"Aloe"}')], [], -1);
    expect(opinion).toMatchObject({
      exchanges: 0,
      notAsked: [{ why: 'there was no time for it', exchanges: [0] }],
    });
  });

  test('about nothing, if nothing is left out', async () => {
    const opinion = prismOpinion(await loadPrism(), [withBody(0, '{"name":"Aloe"}')], [], 60_000);
    expect(opinion).not.toHaveProperty('notAsked');
  });
});
