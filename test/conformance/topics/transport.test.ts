import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../../src/conformance/rule.js';
import { piecesOf } from '../../../src/conformance/send/pieces.js';
import { AFTER_NAME, transport } from '../../../src/conformance/topics/transport.js';
import { requestsOf } from './drawn.js';

const transportRows = rowsOf(transport);

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
    const row = rows.find(({ name }) => name === 'transport/cut-inside-a-character');
    const [request] = row === undefined ? [] : requestsOf(row);
    expect(String(Buffer.from(request?.body ?? []).subarray(AFTER_NAME, AFTER_NAME + 3))).toBe('€');
    expect(request?.transfer?.bodyCuts).toEqual([AFTER_NAME + 1, AFTER_NAME + 2]);
  });
});
