import { describe, expect, test } from 'vitest';
import { prismOpinion } from '../../../src/conformance/judging/prism-opinion.js';
import { keptResponse } from '../../../src/conformance/response-body.js';
import { loadPrism } from '../../../src/validation/prism.js';
import { demand, exchange, response } from '../recorded.js';

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

describe('Prism', () => {
  type Prism = Parameters<typeof prismOpinion>[0];
  type Found = ReturnType<Prism['judgeRequest']>;
  const urls: string[] = [];
  /** A Prism that finds the same in every message. */
  const finding = (...severities: readonly string[]): Prism => {
    const found = severities.map((severity) => ({
      severity,
      message: 'wrong',
      path: [],
    })) as unknown as Found;
    const judgeRequest = ({ url }: { readonly url: string }) => {
      urls.push(url);
      return found;
    };
    return { judgeRequest, judgeResponse: () => found } as unknown as Prism;
  };
  const { request } = exchange();

  test.each<[string, Parameters<typeof exchange>[0]]>([
    ['is sent again', { role: 'superseded' }],
    ['is of a house rule', { probe: 'house/own' as 'plain-plant' }],
    ['goes elsewhere', { request: { ...request, elsewhere: { method: 'GET', path: '/' } } }],
    ['is not well-formed', { request: { ...request, isWellFormed: false } }],
    ['got no response', { failure: { kind: 'reset', message: '' } }],
  ])('is not asked about a request that %s', (_what, given) => {
    expect(prismOpinion(finding(), [exchange(), exchange({ index: 1, ...given })], []).exchanges).toBe(1);
  });

  test('judges the path with the query', () => {
    urls.length = 0;
    prismOpinion(finding(), [exchange(), exchange({ request: { ...request, query: '?a=1' } })], []);
    expect(urls).toEqual(['/plants', '/plants?a=1']);
  });

  test.each<[string[], number]>([
    [['error'], 1],
    [['warning', 'error'], 1],
    [['warning'], 0],
  ])('with %j counts %d errors', (severities, errors) => {
    expect(prismOpinion(finding(...severities), [exchange()], [])).toMatchObject({
      requestErrors: errors,
      responseErrors: errors,
    });
  });

  test.each([
    ['request/name-is-a-string', true, 'messages-are-judged-alone'],
    ['request/name-is-a-string', false, 'unexplained'],
    ['state/equal-ids-side-by-side', false, 'messages-are-judged-alone'],
  ] as const)('misses %s (with a plant: %s): %s', (id, hasPlant, limit) => {
    const one = exchange({ request: { ...request, ...(hasPlant && { plant: { name: 'Aloe', id: 7 } }) } });
    const failures = [{ exchange: one, expected: 'a', actual: 'b' }];
    const { differences } = prismOpinion(
      finding(),
      [one],
      [{ rule: demand({ id }), verdict: 'fail', failures }],
    );
    expect(differences.map((difference) => difference.limit)).toEqual([limit]);
  });
});
