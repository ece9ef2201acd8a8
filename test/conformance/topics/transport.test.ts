import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../../src/conformance/rule.js';
import { piecesOf } from '../../../src/conformance/send/pieces.js';
import { AFTER_NAME, transport } from '../../../src/conformance/topics/transport.js';
import { bodiesOf, requestsOf } from './drawn.js';

const transportRows = rowsOf(transport);

const named = (name: string) => {
  const row = transportRows.find((one) => one.name === `transport/${name}`);
  if (row === undefined) throw new Error(name);
  return row;
};

describe('messages that are divided', () => {
  const rows = transportRows.filter(({ requests }) =>
    requests.some(({ transfer }) => transfer !== undefined),
  );

  test('have the same bytes, in more than one piece', () => {
    let divided = 0;
    for (const row of rows) {
      const [request] = requestsOf(row);
      if (request?.transfer === undefined || request.chunked === true) continue;
      const head = 'POST /plants HTTP/1.1\r\nHost: localhost:3000';
      const pieces = piecesOf(head, request.body, false, request.transfer);
      const whole = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), request.body]);
      expect(Buffer.concat(pieces).equals(whole), row.name).toBe(true);
      if (pieces.length > 1) divided++;
    }
    expect(divided).toBeGreaterThan(2);
  });

  test('are cut inside the bytes of a character', () => {
    const [request] = requestsOf(named('cut-inside-a-character'));
    expect(String(Buffer.from(request?.body ?? []).subarray(AFTER_NAME, AFTER_NAME + 3))).toBe('€');
    expect(request?.transfer?.bodyCuts).toEqual([AFTER_NAME + 1, AFTER_NAME + 2]);
  });
});

describe('lengths', () => {
  test('are those of the bodies', () => {
    expect(bodiesOf(named('lengths-at-buffer-sizes')).map(({ length }) => length)).toEqual([
      4_096, 65_536, 70_000,
    ]);
  });

  test('differ in white space only', () => {
    for (const body of bodiesOf(named('lengths-at-buffer-sizes')))
      expect(JSON.stringify(JSON.parse(body))).toBe(body.replaceAll(' ', ''));
  });
});
