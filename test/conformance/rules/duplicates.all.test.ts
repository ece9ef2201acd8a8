import { buffer } from 'node:stream/consumers';
import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { JsonNumber, type JsonValue, readJson } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { evidenceOf, probeOf } from '../evidence.js';
import { startHandler } from '../providers/handler.js';
import { startInFront } from '../providers/in-front.js';
import type { Provider } from '../providers/provider.js';

const token = 'token-of-these-tests';

/** How a provider reads an id, and how it words its rejections. It rejects duplicate ids. */
interface Habits {
  /** The id that it reads. `undefined`: the id is rejected. */
  readonly idOf?: (value: JsonValue | undefined) => bigint | undefined;
  readonly duplicate?: (id: bigint, value: JsonValue | undefined) => string;
  readonly wrongId?: (value: JsonValue | undefined) => string;
  readonly wrongOther?: string;
}

function exactId(value: JsonValue | undefined): bigint | undefined {
  const id = typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value as number) : undefined;
  return id !== undefined && BigInt.asIntN(64, id) === id ? id : undefined;
}

function startStrict(habits: Habits = {}): Promise<Provider> {
  const { idOf = exactId, wrongOther = 'the plant is wrong', wrongId = () => 'the id is wrong' } = habits;
  const { duplicate = (id) => `there is a plant with the id ${id}` } = habits;
  const ids = new Set<bigint>();
  return startHandler(async (request, response) => {
    const respond = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const reject = (message: string): void =>
      respond(400, { error: 1, message, at: new Date().toISOString() });
    const read = readJson(await buffer(request));
    if (request.headers.authorization !== `Bearer ${token}`) return respond(401, { error: 2, message: 'no' });
    const plant = read.ok ? (Object(read.value) as Record<string, JsonValue>) : {};
    const { name, id: given, tag } = plant;
    if (typeof name !== 'string' || (tag !== undefined && typeof tag !== 'string')) return reject(wrongOther);
    const id = idOf(given);
    if (id === undefined) return reject(wrongId(given));
    if (ids.has(id)) return reject(duplicate(id, given));
    ids.add(id);
    respond(200, tag === undefined ? { name } : { name, tag });
  });
}

/** @param only the rules that are judged. Default: all. */
async function twice(habits: Habits, only: readonly string[] = []): Promise<readonly CheckReport[]> {
  await using provider = await startStrict(habits);
  const check = () => checkConformance({ baseUrl: provider.url, token, prism: false, only });
  return [await check(), await check()];
}

function verdictsOf(reports: readonly CheckReport[], id: string): unknown[] {
  return reports.map(({ rules }) => rules.find((rule) => rule.id === id)?.verdict);
}

describe('a rounded number fails in every check', () => {
  test('if it has 30 digits, even after similar numbers', async () => {
    const idOf = (value: JsonValue | undefined) => {
      const double = Number(value instanceof JsonNumber ? value.text : value);
      return typeof value !== 'string' && Number.isInteger(double) ? BigInt(double) : undefined;
    };
    const reports = await twice({ idOf }, ['request']);
    for (const report of reports) {
      const evidence = evidenceOf(report, 'request/id-is-within-int64');
      expect(evidence.map((one) => probeOf(report, one))).toContain('id-of-30-digits');
    }
  });
});

describe('a correct provider conforms in every check', () => {
  test.each<[string, Habits]>([
    ['it gives reasons', {}],
    [
      'it has one message for all rejections',
      { wrongOther: 'no', wrongId: () => 'no', duplicate: () => 'no' },
    ],
    ['it has one message for all rejected ids', { wrongId: () => 'the id', duplicate: () => 'the id' }],
    [
      'it has one message with the value for all rejected ids',
      {
        wrongId: (value) =>
          `no plant has the id ${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
        duplicate: (id) => `no plant has the id ${id}`,
      },
    ],
    [
      'its messages have the value',
      { wrongId: (value) => `wrong: ${String(value)}`, duplicate: (id) => `twice: ${id}` },
    ],
  ])('if %s', async (_name, habits) => {
    const reports = await twice(habits);
    expect(reports.map(({ conclusion }) => conclusion)).toEqual(['conforms', 'conforms']);
    for (const id of ['request/id-is-required', 'request/id-is-an-integer', 'request/id-is-within-int64'])
      expect(verdictsOf(reports, id)).toEqual(['pass', 'pass']);
  });
});

describe('a provider that rejects duplicate names', () => {
  const rule = 'success/plain-names-are-accepted';

  test.each<[string, string, string]>([
    ['may reject the name null as a duplicate', 'this name exists', 'not-applicable'],
    ['does not reject it as a duplicate if it says something else', 'the name is missing', 'fail'],
  ])('%s', async (_what, said, verdict) => {
    const names = new Set<string>();
    await using provider = await startInFront({ token }, ({ request, body, response, pass }) => {
      const name = /"name":"(\w+)"/.exec(body.toString())?.[1] ?? '';
      const isDuplicate = names.has(name);
      if (request.headers.authorization !== `Bearer ${token}` || (name !== 'null' && !isDuplicate)) {
        if (request.headers.authorization === `Bearer ${token}` && name !== '') names.add(name);
        return pass();
      }
      response.writeHead(409, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 1, message: isDuplicate ? 'this name exists' : said }));
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false, only: [rule] });
    const failures = evidenceOf(report, rule).map((one) => probeOf(report, one));
    expect(failures).toEqual(verdict === 'fail' ? ['name-null'] : []);
    expect(report.rules[0]?.verdict).toBe(verdict === 'fail' ? 'fail' : 'pass');
  });
});

test('a failure that cannot be repeated is not reported as intermittent', async () => {
  const [report] = (await twice(
    {
      idOf: (value) => (value === true ? 1n : exactId(value)),
      wrongOther: 'no',
      wrongId: () => 'no',
      duplicate: () => 'no',
    },
    ['request'],
  )) as [CheckReport];
  const evidence = evidenceOf(report, 'request/id-is-an-integer');
  expect(evidence.map((one) => [probeOf(report, one), one.repeated])).toEqual([
    ['id-is-boolean', 'not-tried'],
  ]);
});

describe('an id that the provider may have', () => {
  const OVERFLOWS = [2n ** 31n, 2n ** 32n - 1n];
  const idOf = (value: JsonValue | undefined) => {
    const id = exactId(value);
    return id !== undefined && OVERFLOWS.includes(id) ? undefined : id;
  };

  test('fails if its rejection is not that of a duplicate, in every check', async () => {
    const duplicate = () => 'there is such a plant';
    const reports = await twice({ idOf, duplicate, wrongId: () => 'this looks like an attack' }, ['request']);
    expect(verdictsOf(reports, 'request/int64-ids-are-accepted')).toEqual(['fail', 'fail']);
    const evidence = evidenceOf(reports[0] as CheckReport, 'request/int64-ids-are-accepted');
    expect(evidence.map((one) => probeOf(reports[0] as CheckReport, one)).sort()).toEqual(
      OVERFLOWS.map((id) => `ids/${id}`).sort(),
    );
  });

  test('proves nothing if every rejection has the same message', async () => {
    const reports = await twice({ idOf, wrongOther: 'no', wrongId: () => 'no', duplicate: () => 'no' }, [
      'request',
    ]);
    expect(verdictsOf(reports, 'request/int64-ids-are-accepted')).toEqual(['pass', 'pass']);
  });
});
