// Goes with src/conformance/curl.ts (a line for every request): it tests how that works. Whoever replaces it deletes this file.
import { execFileSync } from 'node:child_process';
import { probes } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { curlLines } from '../../../src/conformance/curl.js';
import { freshValues } from '../../../src/conformance/probe.js';
import { probeOf, type Row } from '../../../src/conformance/row.js';
import { madeOfToken, TOKEN_FORMS } from '../../../src/conformance/token-edit.js';
import { TOKENS } from './token-shapes.js';

/** What a script writes, with every byte as one character. */
function written(script: string): string {
  return execFileSync('sh', ['-c', script], { encoding: 'latin1' });
}

test('a shell makes new ids of an id 7', () => {
  const cases: readonly (readonly [
    what: string,
    ids: readonly string[],
    result: bigint,
    bounds?: Row['ids'],
  ])[] = [
    ['the next id', ['<ID>', '<ID+1>'], 8n],
    ['the id before', ['<ID+1>', '<ID>'], 6n],
    ['a multiple', ['<ID*64>'], 64n * (2n ** 30n - 1n)],
    ['the same base', ['<ID+2>', '<ID*10+3>'], 53n],
    ['its base', ['<ID*7>', '<ID+1>'], 2n],
    ['an id between two bounds', ['<ID>'], 13n, ['10', '19']],
    ['another base', ['<ID>', '<ID2+1>'], 2n ** 30n],
  ];
  const script = cases.map(([what, ids, , bounds]) => {
    const expression = newIdIn(ids, bounds)?.replaceAll('RANDOM', '1073741823');
    return `echo "${what}: $((${expression}))"`;
  });
  expect(
    written(`id=7\n${script.join('\n')}`)
      .trim()
      .split('\n'),
  ).toEqual(cases.map(([what, , result]) => `${what}: ${result}`));
  expect(newIdIn(['<ID>'])).toBeUndefined();
});

/** How a shell makes the last of several ids. */
function newIdIn(ids: readonly string[], bounds?: Row['ids']): string | undefined {
  const probe = probeOf({
    ...{ name: 'new-id', title: 'plants', expectation: 'open', rules: [] },
    ...(bounds !== undefined && { ids: bounds }),
    requests: ids.map((id) => ({ body: `{"name":"<NAME>","id":${id}}` })),
  });
  return probe.requests(freshValues('any-token')).at(-1)?.shell?.newId;
}

test('a shell sends the same as the check after the first id', () => {
  const url = new URL('http://plants.example/plants');
  const target = { url, tokens: ['any-token'], headers: [], insecure: false };
  for (const probe of probes.filter(({ name }) => /^(ids|keys)\b/.test(name))) {
    const requests = probe.requests(freshValues('any-token'));
    const lines = curlLines(requests, target).map((line) =>
      line.replace(/\bcurl .*(?:-d|--data-raw) (?=')/, "printf '%s\\n' ").replace(/\| curl .*/, '; echo'),
    );
    const script = lines.join('\n').replace(/^id=.*/, `id=${requests[0]?.id}`);
    const bodies = requests.map(({ body }) => `${Buffer.from(body).toString('latin1')}\n`);
    expect(written(script), probe.name).toBe(bodies.join(''));
  }
});

const EDITS = [
  'xx{}',
  '{}x$HOME`"\\',
  '{1..}',
  '{-5..-1}',
  '{..middle}x{middle..}',
  '{after-middle..}{..after-middle}',
  '{}{}',
  '{..end}xx{end..}',
  '{..end-2}',
  '{0..1 next-characters}{1..}',
  '{..2}{2..3 next-characters}{3..}',
  '{..-4}{-4..-3 next-characters}{-3..}',
  '{..-1}{-1.. next-characters}',
  ...TOKEN_FORMS.filter((form) => !form.startsWith('in-')).map((form) => `{${form}}`),
  'user:{} | base64',
  '%{2.. reversed} | percent-encoded',
];

test('a shell writes the same bytes as an edit of any token, and they are another text', () => {
  const script: string[] = [];
  const expected: string[] = [];
  for (const token of TOKENS) {
    script.push(`PLANT_STORE_TOKEN='${token.replaceAll("'", "'\\''")}'`);
    const made = EDITS.flatMap((edit) => madeOfToken(edit, token) ?? []);
    expect(made.map(({ value }) => value)).not.toContain(token);
    script.push(...made.map(({ shown }) => `printf '%s\\n' "${shown}"`));
    expected.push(...made.map(({ value }) => value));
  }
  expect(written(script.join('\n')).split('\n').slice(0, -1)).toEqual(expected);
});

test('a shell writes a token in a query and in JSON, where most tokens are the same', () => {
  const inQuery = TOKENS.filter((token) => /^[\w.~+/=-]+$/.test(token));
  const cases = [
    ...inQuery.map((token) => [token, '{in-query}', encodeURIComponent(token)] as const),
    ...TOKENS.map((token) => [token, '{in-json}', JSON.stringify(token).slice(1, -1)] as const),
  ];
  const script = cases.map(([token, edit]) => {
    const word = `'${token.replaceAll("'", "'\\''")}'`;
    return `PLANT_STORE_TOKEN=${word}; printf '%s\\n' "${madeOfToken(edit, token)?.shown}"`;
  });
  const expected = cases.map(([, , value]) => value);
  expect(cases.map(([token, edit]) => madeOfToken(edit, token)?.value)).toEqual(expected);
  expect(written(script.join('\n')).split('\n').slice(0, -1)).toEqual(expected);
});

test('a shell writes the long names of rejections', () => {
  const requests = probes.flatMap((probe) => {
    const [request] = probe.requests(freshValues('any-token'));
    return probe.name.startsWith('rejections/') && request?.shell?.body !== undefined ? [request] : [];
  });
  expect(requests.length).toBeGreaterThan(0);
  for (const { shell, body } of requests) {
    expect(shell?.body?.length).toBeLessThan(200);
    expect(written(shell?.body ?? '')).toBe(Buffer.from(body).toString('latin1'));
  }
});
