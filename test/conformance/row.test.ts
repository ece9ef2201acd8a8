import { probes, rules } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { classify } from '../../src/conformance/oracle.js';
import { probeOf, type Row, requestsOf } from '../../src/conformance/row.js';
import { rowsOf } from '../../src/conformance/rule.js';
import { freshValues } from '../../src/conformance/template.js';
import { topics } from '../../src/conformance/topics/index.js';

const TOKEN = 'The-Right-Token';
const shared = { name: 'ids/row', title: 'a row', expectation: 'open', rules: [] } as const;

function made(row: Partial<Row> & Pick<Row, 'requests'>, token = TOKEN) {
  return requestsOf({ ...shared, ...row }, freshValues(token));
}

function textOf(body: Uint8Array | undefined): string {
  return Buffer.from(body ?? []).toString();
}

describe('a row becomes requests', () => {
  test('with the same fresh value for the same placeholder, and another one for another', () => {
    const [first, second] = made({ requests: [{ body: '<ID> <ID> <ID1> <ID*2+1>' }, { body: '<ID>' }] });
    const [one = '', again, other, next] = textOf(first?.body).split(' ');
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    expect(BigInt(next ?? 0)).toBe(BigInt(one) * 2n + 1n);
    expect(String(second?.id)).toBe(one);
    expect(textOf(second?.body)).toBe(one);
  });

  test('with ids between its bounds', () => {
    const [request] = made({ ids: ['20', '21'], requests: [{ body: '<ID>' }] });
    expect([20, 21]).toContain(request?.id);
  });

  test('with an id a second time if all between its bounds were used', () => {
    const values = freshValues(TOKEN);
    const row = { ...shared, ids: ['2', '9'], requests: [{ body: '<ID>' }] } as const;
    const ids = Array.from({ length: 30 }, () => requestsOf(row, values)[0]?.id);
    expect(new Set(ids).size).toBe(8);
  });

  test('with the plant that the body means', () => {
    const [request] = made({ requests: [{ body: '{"name":"<NAME>","id":<ID>,"tag":"\\u0041"}' }] });
    const { name, id } = JSON.parse(textOf(request?.body));
    expect(request?.plant).toEqual({ name, id, tag: 'A' });
  });

  test.each([
    ['a key comes twice', '{"name":"<NAME>","id":<ID>,"id":7}'],
    ['the digits of the id may come back in another form', '{"name":"<NAME>","id":<ID>.0}'],
    ['half a character may not come back', '{"name":"<NAME>\\ud800","id":<ID>}'],
    ['it is no plant', '{"name":"<NAME>"}'],
  ])('without a plant if %s', (_why, body) => {
    expect(made({ requests: [{ body }] })[0]?.plant).toBeUndefined();
  });

  test('with parts of the token, and with bytes that are not UTF-8', () => {
    const headers = [['Authorization', 'Bearer <TOKEN {..-5}{-5.. other-case}>']] as const;
    const [request] = made({ requests: [{ headers, body: 'a<BYTES ff>' }] });
    expect(request?.headers).toEqual([['Authorization', 'Bearer The-Right-tOKEN']]);
    expect([...(request?.body ?? [])]).toEqual([0x61, 0xff]);
    expect(request?.secrets?.map(({ value }) => value)).toEqual(['The-Right-tOKEN']);
  });

  test('with a name whose letters are escapes, and the plant that it means', () => {
    const [plain, escaped] = made({
      requests: ['<NAME>', '<NAME ESCAPED>'].map((name) => ({ body: `{"name":"${name}","id":<ID>}` })),
    });
    expect(textOf(escaped?.body)).toMatch(/^\{"name":"(?:\\u00[4-7][0-9a-f]){10}"/);
    expect(escaped?.plant).toEqual(plain?.plant);
  });

  test('with spaces up to a length, and with repetitions', () => {
    const [padded, repeated] = made({ requests: [{ body: '[<PAD 20>]' }, { body: '<REPEAT 3 [><ID>' }] });
    expect(textOf(padded?.body)).toBe(`[${' '.repeat(18)}]`);
    expect(textOf(repeated?.body)).toBe(`[[[${repeated?.id}`);
  });

  test('not at all if the token does not allow it, or is by chance the one that must be wrong', () => {
    const authorized = (value: string) => [{ headers: [['Authorization', value]] as const, body: '' }];
    expect(made({ requests: authorized('Bearer <TOKEN {..-2}>') }, 'abc')).toEqual([]);
    expect(made({ requests: authorized('Bearer null') }, 'null')).toEqual([]);
    expect(made({ requests: authorized('Bearer null') })).toHaveLength(1);
  });
});

test('what else is in angle brackets stands for itself', () => {
  const body = '<b> <NAME <id> <TOKENS> <BYTES> <REPEAT a b>';
  expect(textOf(made({ requests: [{ body }] })[0]?.body)).toBe(body);
});

describe('core probes', () => {
  test('are for what the interface says about their bodies', () => {
    // Of other placeholders, it does not know the text.
    const isAsked = (body: string) =>
      !/<(?!(?:NAME|ID)\d*>)[A-Z]/.test(body) && classify(body).expectation !== 'open';
    for (const row of topics.flatMap(rowsOf)) {
      const [request, ...others] = row.requests;
      const isOnlyBody = Object.keys(request ?? {}).every((key) => key === 'body' || key === 'plant');
      if (request === undefined || others.length > 0 || !isOnlyBody || !isAsked(request.body)) continue;
      // Of a long text that is valid, the rules ask nothing.
      if (probeOf(row).expectation === 'open' && classify(request.body).expectation === 'created') continue;
      expect([row.name, probeOf(row).expectation]).toEqual([row.name, classify(request.body).expectation]);
    }
  });

  test('name only rules that exist', () => {
    const known = new Set<string>(rules.map(({ id }) => id));
    const named = probes.flatMap((probe) => probe.rules ?? []);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });
});
