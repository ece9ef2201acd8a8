import { checkConformance, probes } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import type { ProbeRequest } from '../../src/conformance/exchange.js';
import { dryRun } from '../../src/conformance/prepare.js';
import { type LineTarget, reproduceLine } from '../../src/conformance/reproduce.js';
import { probeOf, type Row, requestsOf } from '../../src/conformance/row.js';
import { freshValues } from '../../src/conformance/template.js';
import { evidenceOf } from './checks.js';
import { faultsNamed } from './faults/index.js';

// With what a shell must quote.
const token = 'it$is"a`b\\c=';
const target: LineTarget = {
  url: new URL('http://plants.example/api/plants'),
  baseUrl: 'http://plants.example/api',
  tokens: [token],
  headers: [],
};
const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const TYPED = "curl -i 'http://plants.example/api/plants' -H 'Content-Type: application/json'";
const ROW =
  'npx plant-store-contract check http://plants.example/api --row missing-name --token "$PLANT_STORE_TOKEN"';

const ROW_OF_CHECK: Row = {
  name: 'missing-name',
  title: 'a plant',
  expectation: 'created',
  requests: [{ body: '{"name":"<NAME>","id":<ID>}' }],
};

function request(body: string | Uint8Array, given: Partial<ProbeRequest> = {}): ProbeRequest {
  return { headers: [JSON_TYPE], body: Buffer.from(body as string), ...given };
}

function lineFor(
  sent: ProbeRequest | readonly ProbeRequest[],
  more: Partial<LineTarget> = {},
  row: Partial<Row> = {},
): string {
  return reproduceLine(probeOf({ ...ROW_OF_CHECK, ...row }), [sent].flat() as ProbeRequest[], {
    ...target,
    ...more,
  });
}

describe('an ordinary request is a curl command', () => {
  test.each<[string, ProbeRequest, string, Partial<LineTarget>?]>([
    ['with its body', request('{"a":1}'), `${TYPED} -d '{"a":1}'`],
    ['with what a CI system takes for a command', request('##[error]'), `${TYPED} -d '#''#[error]'`],
    ['with a quote in a body', request("it's"), `${TYPED} -d 'it'\\''s'`],
    [
      'with a new id',
      request('{"id":7}', { id: 7, hasPlainId: true }),
      `${TYPED} -d '{"id":'"$((RANDOM * 32768 + RANDOM))"'}'`,
    ],
    [
      'with a new name: a provider may want unique names',
      request('{"name":"Aloeabcdef","tag":"x"}'),
      `${TYPED} -d '{"name":"'Aloe"$(echo $RANDOM$RANDOM | tr 0-9 a-j)"'","tag":"x"}'`,
    ],
    [
      'with nothing but a new name',
      request('Aloeabcdef'),
      `${TYPED} -d Aloe"$(echo $RANDOM$RANDOM | tr 0-9 a-j)"`,
    ],
    [
      'with the token',
      request('{}', { headers: [['Authorization', `Bearer ${token}`], JSON_TYPE] }),
      `${TYPED.replace('-H', '-H "Authorization: Bearer $PLANT_STORE_TOKEN" -H')} -d '{}'`,
    ],
    [
      'with further headers, whose values are secret, and a certificate',
      request('{}'),
      `${TYPED.replace('-i', '-i --insecure --cacert "$PLANT_STORE_CA"')} -H "X-Key: $PLANT_STORE_HEADER_1" -d '{}'`,
      { headers: [['X-Key', 'hidden']], insecure: true, ca: 'PEM' },
    ],
  ])('%s', (_what, sent, line, more) => {
    expect(lineFor(sent, more)).toBe(line);
  });
});

describe('anything else is a check of its row', () => {
  test.each<[string, ProbeRequest | readonly ProbeRequest[]]>([
    ['of two requests', [request('{}'), request('{}')]],
    ['of an id of a pattern', request('{"id":7}', { id: 7 })],
    ['of bytes that are not text', request(Buffer.from([0xef]))],
    ['of a long body', request('a'.repeat(1_001))],
    ['of no body', request('')],
    ['of what looks like the name of a file', request('@/etc')],
    ['of the token in the body', request(token)],
    ['of the token, and what follows it', request('{}', { headers: [['X-A', `${token}x`], JSON_TYPE] })],
    ['of no media type', request('{}', { headers: [] })],
    ['of chunks', request('{}', { chunked: true })],
    ['of another place', request('{}', { otherOperation: { method: 'GET', path: '/plants/7' } })],
    ['of a query', request('{}', { query: '?a=1' })],
    ['of a text made of the token', request('{}', { secrets: [{ value: 'c2VjcmV0', shown: 'x' }] })],
  ])('%s', (_what, sent) => {
    expect(lineFor(sent)).toBe(ROW);
  });

  test('with the flags that lead to the provider', () => {
    const headers = [['X-Key', 'hidden']] as const;
    expect(lineFor(request(''), { headers, ca: 'PEM', cert: 'PEM', key: 'PEM' })).toBe(
      `${ROW} --header "X-Key: $PLANT_STORE_HEADER_1" --ca "$PLANT_STORE_CA" --cert "$PLANT_STORE_CERT" --key "$PLANT_STORE_KEY"`,
    );
  });

  test('with the rules of the user, if they send it or judge it', () => {
    expect(lineFor(request(''), {}, { name: 'house/mistyped-tag' })).toBe(
      `${ROW.replace('missing-name', 'house/mistyped-tag')} --rules "$PLANT_STORE_RULES"`,
    );
    expect(reproduceLine(probeOf(ROW_OF_CHECK), [request('')], target, { level: 'house' })).toBe(
      `${ROW} --rules "$PLANT_STORE_RULES"`,
    );
  });

  test('which is there as JSON if it was drawn: ASCII, and no command to a CI system', () => {
    const drawn = { name: 'drawn/1', title: "it's ##[x]", requests: [{ body: '\u007fñ😀\ud800' }] };
    const json = `{"name":"drawn/1","title":"it'\\''s #''#[x]","expectation":"created","requests":[{"body":"\\u007f\\u00f1\\ud83d\\ude00\\ud800"}]}`;
    expect(lineFor(request(''), {}, drawn)).toBe(ROW.replace('missing-name', `'${json}'`));
  });
});

test('a dry run has one line for each row, and most are curl commands', () => {
  const rows = dryRun({ baseUrl: 'http://plants.example' }).trim().split('\n\n');
  for (const row of rows)
    expect(row).toMatch(/^# (\S+): .*\n(?:curl -i '|npx plant-store-contract check .* --row \1 ).*$/);
  expect(rows.filter((row) => row.includes('\ncurl ')).length).toBeGreaterThan(rows.length / 3);
});

const sendable = 'a-Token.with~/all+that=';

test('a report has a line for each failure that repeats, and neither the token nor what is made of it', async () => {
  const faults = faultsNamed('accepts-missing-token', 'compares-token-start', 'keeps-refused-plants');
  const { fetch } = createPlantStore({ token: sendable, faults });
  const report = await checkConformance({
    baseUrl: 'http://localhost',
    fetch,
    token: sendable,
    prism: false,
  });
  const [missing] = evidenceOf(report, 'auth/missing-token-is-refused');
  expect(missing?.reproduce).toMatch(/^curl -i 'http:\/\/localhost\/plants' -H 'Content-Type: /);
  const [kept] = evidenceOf(report, 'state/refused-plant-is-not-stored');
  expect(kept?.reproduce).toMatch(
    /^npx plant-store-contract check http:\/\/localhost --row \S+ --token "\$PLANT_STORE_TOKEN"$/,
  );
  const text = JSON.stringify(report);
  const made = probes
    .flatMap((probe) => requestsOf(probe, freshValues(sendable)))
    .flatMap(({ secrets = [] }) => secrets.map(({ value }) => JSON.stringify(value).slice(1, -1)));
  expect(made.length).toBeGreaterThan(8);
  expect([sendable, ...made].filter((secret) => text.includes(secret))).toEqual([]);
});
