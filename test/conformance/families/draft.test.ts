import { probes, rules } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { FRESH_ID, FRESH_NAME, probeFrom } from '../../../src/conformance/families/draft.js';
import { families } from '../../../src/conformance/families/index.js';
import { freshValues } from '../../../src/conformance/probe.js';

const TOKEN = 'The-Right-Token';
const shared = { title: 'a draft', expectation: 'open', phase: 'invalid', rules: [] } as const;

describe('a draft becomes requests', () => {
  test('with the same fresh value for the same piece, and another one for another', () => {
    const ids = [
      FRESH_ID,
      ' ',
      FRESH_ID,
      ' ',
      { fresh: 'id', of: 1 },
      ' ',
      { fresh: 'id', plus: '1' },
    ] as const;
    const probe = probeFrom({ ...shared, name: 'ids/draft', requests: [{ body: ids }, { body: FRESH_ID }] });
    const [first, second] = probe.requests(freshValues(TOKEN));
    const [one, again, other, next] = Buffer.from(first?.body ?? [])
      .toString()
      .split(' ');
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    expect(BigInt(next ?? 0)).toBe(BigInt(one ?? 0) + 1n);
    expect(String(second?.id)).toBe(one);
    expect(Buffer.from(second?.body ?? []).toString()).toBe(one);
  });

  test('with the plant that the body means', () => {
    const body = ['{"name":"', FRESH_NAME, '","id":', FRESH_ID, '}'];
    const plant = { name: FRESH_NAME, id: FRESH_ID, tag: 'ID and NAME' };
    const probe = probeFrom({ ...shared, name: 'strings/draft', requests: [{ body, plant }] });
    const [request] = probe.requests(freshValues(TOKEN));
    const { name, id } = JSON.parse(Buffer.from(request?.body ?? []).toString());
    expect(request?.plant).toEqual({ name, id, tag: 'ID and NAME' });
  });

  test('with parts of the token, and with bytes that are not UTF-8', () => {
    const end = { edit: [{ token: { from: -5 } }], as: 'other-case' } as const;
    const value = ['Bearer ', { edit: [{ token: { to: -5 } }, end] }] as const;
    const requests = [{ headers: [['Authorization', value]] as const, body: { base64: '/w==' } }];
    const [request] = probeFrom({ ...shared, name: 'tokens/draft', requests }).requests(freshValues(TOKEN));
    expect(request?.headers).toEqual([['Authorization', 'Bearer The-Right-tOKEN']]);
    expect([...(request?.body ?? [])]).toEqual([0xff]);
  });
});

describe('core probes', () => {
  test('have names of their own', () => {
    const names = probes.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('with a generated name are in the family of that name', () => {
    for (const { name: family, core } of families)
      for (const { name } of core) if (name.includes('/')) expect(name.split('/')[0]).toBe(family);
  });

  test('name only rules that exist', () => {
    const known = new Set<string>(rules.map(({ id }) => id));
    const named = probes.flatMap((probe) => probe.rules ?? []);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });
});
