import { describe, expect, test } from 'vitest';
import { failureIn } from '../../../src/server/page/browser/failure-form.js';
import { eventReader } from '../../../src/server/page/browser/read-stream.js';
import { RowStore } from '../../../src/server/page/browser/row-store.js';
import type { Row, Verdict } from '../../../src/server/page/browser/wire.js';
import { counted, sizeText, verdictText, visibleInLine } from '../../../src/server/page/browser/words.js';

function row(number: number, more: Partial<Row> = {}): Row {
  const verdict: Verdict = 'conforms';
  return {
    number,
    at: 0,
    method: 'POST',
    target: '/plants',
    status: 200,
    verdict,
    problems: 0,
    sent: `{"name":"Aloe","id":${number}}`,
    received: '{"name":"Aloe"}',
    ...more,
  };
}

const ALL = { text: '', verdicts: new Set<Verdict>(), status: '' };
const numbers = (rows: readonly Row[]): number[] => rows.map(({ number }) => number);

describe('the rows that a page knows', () => {
  test('are the last ones, sorted, whatever the order in which they come', () => {
    const store = new RowStore(3);
    store.add({ total: 2, first: 1, rows: [row(2), row(1)] });
    store.add({ total: 4, first: 1, rows: [row(4), row(3), row(4)] });
    expect(numbers(store.matching(ALL))).toEqual([4, 3, 2]);
    expect([store.size, store.total, store.get(1)]).toEqual([3, 4, undefined]);
  });

  test('are forgotten with the server', () => {
    const store = new RowStore(10);
    store.add({ total: 3, first: 1, rows: [row(1), row(2), row(3)] });
    store.add({ total: 3, first: 3, rows: [] });
    expect(numbers(store.matching(ALL))).toEqual([3]);
    store.add({ total: 3, first: 4, rows: [] });
    expect([store.size, store.matching(ALL)]).toEqual([0, []]);
  });

  test('are filtered by words in any place, verdict and status', () => {
    const store = new RowStore(10);
    const wrong = row(2, { verdict: 'response', problem: 'response /id: a Plant has no field "id"' });
    const none = row(3, { status: 0, verdict: 'not-judged', failure: 'reset,times=1' });
    const other = row(4, { method: 'GET', target: '/other', status: 404, sent: '' });
    store.add({ total: 4, first: 1, rows: [row(1), wrong, none, other] });
    const found = (filter: Partial<typeof ALL>) => numbers(store.matching({ ...ALL, ...filter }));
    expect(found({ text: 'NO field' })).toEqual([2]);
    expect(found({ text: '"id":1' })).toEqual([1]);
    expect(found({ text: 'no response reset' })).toEqual([3]);
    expect(found({ text: 'times=1 aloe' })).toEqual([3]);
    expect(found({ text: ' get  /OTHER ' })).toEqual([4]);
    expect(found({ status: '0' })).toEqual([3]);
    expect(found({ status: '4' })).toEqual([4]);
    expect(found({ verdicts: new Set<Verdict>(['response', 'not-judged']) })).toEqual([3, 2]);
    expect(found({ verdicts: new Set<Verdict>(['response']), text: '404' })).toEqual([]);
    expect(store.counts()).toEqual({
      conforms: 2,
      response: 1,
      accepted: 0,
      request: 0,
      'asked-for': 0,
      'not-judged': 1,
    });
  });
});

describe('a stream', () => {
  test('is read in pieces of any size', () => {
    const text = ':\n\nevent: hello\ndata: {"a":1}\n\nevent: batch\ndata: {"b":"\\n\\n"}\n\nevent: ba';
    for (const size of [1, 2, 7, 1_000]) {
      const read = eventReader();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(pieces.flatMap((piece) => read(piece) ?? [])).toEqual([
        { type: 'hello', json: '{"a":1}' },
        { type: 'batch', json: '{"b":"\\n\\n"}' },
      ]);
    }
  });
});

describe('the form of a failure', () => {
  const form = (values: Record<string, string>) => ({ get: (name: string) => values[name] ?? '' });

  test('gives a failure in the terms of the server', () => {
    expect(failureIn(form({ kind: 'status', status: '503', times: '2', id: '9007199254740993' }))).toEqual({
      status: 503,
      times: 2,
      when: { id: '9007199254740993' },
    });
    expect(failureIn(form({ kind: 'reset', status: '503', body: 'x', name: ' Aloe ' }))).toEqual({
      connection: 'reset',
      when: { name: 'Aloe' },
    });
    expect(failureIn(form({ kind: '', delayMs: '2000', every: '3' }))).toEqual({ delayMs: 2_000, every: 3 });
    expect(failureIn(form({ kind: 'status', status: '502', body: ' <h1> ' }))).toEqual({
      status: 502,
      body: ' <h1> ',
    });
  });
});

describe('words', () => {
  test('show what cannot be seen, on one line', () => {
    expect(visibleInLine('a\u202eb\n\u0000c\u200d\ufeff')).toBe('a\\u202eb \\u0000c\\u200d\\ufeff');
  });

  test('say how many and how much', () => {
    expect([counted(1, 'request'), counted(5_000, 'plant')]).toEqual(['1 request', '5,000 plants']);
    expect([sizeText(7), sizeText(1_234), sizeText(2_500_000)]).toEqual(['7 B', '1.2 kB', '2.5 MB']);
  });

  test('say the verdict of a row', () => {
    expect(verdictText(row(1))).toBe('conforms');
    expect(verdictText(row(1, { verdict: 'not-judged', failure: 'hang' }))).toBe('not judged (hang)');
    expect(verdictText(row(1, { verdict: 'asked-for', failure: '503' }))).toBe('failure as asked for (503)');
    expect(verdictText(row(1, { rejection: 'the token is unknown' }))).toBe(
      'conforms, rejected: the token is unknown',
    );
    expect(verdictText(row(1, { verdict: 'response', problem: 'response: no' }))).toBe('response: no');
  });
});
