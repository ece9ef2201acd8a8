import { buffer } from 'node:stream/consumers';
import { checkConformance, type Report } from 'plant-store-contract/conformance';
import { JsonNumber, type JsonValue, readJson } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { startHandler } from './providers/handler.js';
import type { Provider } from './providers/provider.js';

const token = 'token-of-these-tests';

/** How a provider takes an id, and what it says: each id names one plant. */
interface Ways {
  /** What it takes for an id; `undefined` is refused. */
  readonly idOf?: (value: JsonValue | undefined) => bigint | undefined;
  readonly repeated?: (id: bigint, value: JsonValue | undefined) => string;
  readonly wrongId?: (value: JsonValue | undefined) => string;
  readonly wrongOther?: string;
}

function exactId(value: JsonValue | undefined): bigint | undefined {
  const id = typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value as number) : undefined;
  return id !== undefined && BigInt.asIntN(64, id) === id ? id : undefined;
}

function startStrict(ways: Ways = {}): Promise<Provider> {
  const { idOf = exactId, wrongOther = 'the plant is wrong', wrongId = () => 'the id is wrong' } = ways;
  const { repeated = (id) => `there is a plant with the id ${id}` } = ways;
  const ids = new Set<bigint>();
  return startHandler(async (request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (message: string): void =>
      answer(400, { error: 1, message, at: new Date().toISOString() });
    const read = readJson(await buffer(request));
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { error: 2, message: 'no' });
    const plant = read.ok ? (Object(read.value) as Record<string, JsonValue>) : {};
    const { name, id: given, tag } = plant;
    if (typeof name !== 'string' || (tag !== undefined && typeof tag !== 'string')) return refuse(wrongOther);
    const id = idOf(given);
    if (id === undefined) return refuse(wrongId(given));
    if (ids.has(id)) return refuse(repeated(id, given));
    ids.add(id);
    answer(200, tag === undefined ? { name } : { name, tag });
  });
}

async function twice(ways?: Ways): Promise<readonly Report[]> {
  await using provider = await startStrict(ways);
  const check = () => checkConformance({ baseUrl: provider.url, token, prism: false });
  return [await check(), await check()];
}

function verdictsOf(reports: readonly Report[], id: string): unknown[] {
  return reports.map(({ rules }) => rules.find((rule) => rule.id === id)?.verdict);
}

describe('what is accepted once, since the id that it is taken for is used from then on, passes no further check', () => {
  test.each<[string, string, string, Ways]>([
    [
      'true for 1, as in Python',
      'request/id-is-an-integer',
      'a plant whose id is true was refused as a repeated id is: it may have been taken for 1, which is in use; a provider without plants would show it',
      {
        idOf: (value) => (typeof value === 'boolean' ? BigInt(value) : exactId(value)),
        repeated: (id, value) => `the id ${value === true ? 'True' : id} is there already`,
      },
    ],
    [
      'a missing id for 0, as in Go',
      'request/id-is-required',
      'a plant without an id was refused as a repeated id is: it may have been taken for 0, which is in use; a provider without plants would show it',
      { idOf: (value) => (value === undefined ? 0n : exactId(value)) },
    ],
    [
      'an integer past the end of int64 for the end, as in MySQL',
      'request/id-is-within-int64',
      'a plant whose id is 2^63 was refused as a repeated id is: it may have been taken for one within int64',
      {
        idOf: (value) => (typeof value === 'bigint' && value >= 2n ** 63n ? 2n ** 63n - 1n : exactId(value)),
      },
    ],
  ])('%s', async (_name, rule, reason, ways) => {
    const reports = await twice(ways);
    expect(verdictsOf(reports, rule)).toEqual(['fail', 'not-applicable']);
    expect(reports[1]?.rules.find(({ id }) => id === rule)?.reason).toContain(reason);
    expect(reports[0]?.conclusion).toBe('breaks-rules');
  });
});

describe('a number that is rounded is found in every check', () => {
  test('where it has 30 digits, also if others like it were sent before', async () => {
    const idOf = (value: JsonValue | undefined) => {
      const double = Number(value instanceof JsonNumber ? value.text : value);
      return typeof value !== 'string' && Number.isInteger(double) ? BigInt(double) : undefined;
    };
    const reports = await twice({ idOf });
    for (const { rules } of reports) {
      const rule = rules.find(({ id }) => id === 'request/id-is-within-int64');
      expect(rule?.failures.map(({ probe }) => probe)).toContain('id-of-30-digits');
    }
  });
});

describe('a provider that is right conforms, however often it is checked', () => {
  test.each<[string, Ways]>([
    ['it says why', {}],
    [
      'it says the same of all that is wrong',
      { wrongOther: 'no', wrongId: () => 'no', repeated: () => 'no' },
    ],
    ['it says the same of every wrong id', { wrongId: () => 'the id', repeated: () => 'the id' }],
    [
      'it shows the value, and says the same of every wrong id',
      {
        wrongId: (value) =>
          `no plant has the id ${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
        repeated: (id) => `no plant has the id ${id}`,
      },
    ],
    [
      'it shows the value',
      { wrongId: (value) => `wrong: ${String(value)}`, repeated: (id) => `twice: ${id}` },
    ],
  ])('where %s', async (_name, ways) => {
    const reports = await twice(ways);
    expect(reports.map(({ conclusion }) => conclusion)).toEqual(['conforms', 'conforms']);
    for (const id of ['request/id-is-required', 'request/id-is-an-integer', 'request/id-is-within-int64'])
      expect(verdictsOf(reports, id)).toEqual(['pass', 'pass']);
  });

  test('where it says of a missing id what it says of a repeated one: the second time, that shows nothing', async () => {
    const said = 'a constraint of the table was broken';
    const reports = await twice({
      wrongId: (value) => (value === undefined || value === null ? said : 'the id is wrong'),
      repeated: () => said,
    });
    expect(reports.map(({ conclusion }) => conclusion)).toEqual(['conforms', 'conforms']);
    expect(verdictsOf(reports, 'request/id-is-required')).toEqual(['pass', 'not-applicable']);
  });
});

test('a failure that may not be shown again is not said to come and go', async () => {
  const [report] = await twice({
    idOf: (value) => (value === true ? 1n : exactId(value)),
    ...{ wrongOther: 'no', wrongId: () => 'no', repeated: () => 'no' },
  });
  const failures = report?.rules.find(({ id }) => id === 'request/id-is-an-integer')?.failures;
  expect(failures?.map(({ probe, again }) => [probe, again])).toEqual([['id-is-boolean', 'not-tried']]);
});
