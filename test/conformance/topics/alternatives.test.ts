// Goes with src/conformance/row.ts (alternatives): it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, test } from 'vitest';
import { freshValues } from '../../../src/conformance/probe.js';
import { type CoreRow, eachOf, probeOf } from '../../../src/conformance/row.js';
import { jsonTextRows } from '../../../src/conformance/topics/json-texts/rows.js';
import { typeRows } from '../../../src/conformance/topics/types/rows.js';
import { requestsOf, serverWith, TOKEN, textOf } from './drawn.js';

const rows: readonly CoreRow[] = [...typeRows, ...jsonTextRows].filter(
  ({ alternatives = [] }) => alternatives.length > 0,
);

describe('a row with other requests of its class', () => {
  test.each(rows)('$name: the reference server rejects each of them', async (row) => {
    const send = serverWith();
    const requests = eachOf(row).flatMap(requestsOf);
    expect(requests.length).toBeGreaterThan(1);
    for (const request of requests) {
      const { status, text } = await send(request);
      expect(status, `${textOf(request)} ${JSON.stringify(request.headers)}: ${text}`).toBe(400);
    }
  });

  test.each(rows)('$name: each is for the rules of the row', (row) => {
    const { rules } = probeOf(row);
    for (const one of eachOf(row)) expect(probeOf(one).rules).toEqual(rules);
  });

  test('sends the first one that the token allows', () => {
    const row: CoreRow = {
      ...{ name: 'tokens/row', title: 'a row', expectation: 'rejected', rules: [] },
      requests: [{ body: 'first', headers: [['Authorization', '<TOKEN {1..}>']] }],
      alternatives: [
        { body: 'second', headers: [['Authorization', '<TOKEN {..-4}>']] },
        { body: 'third', headers: [] },
      ],
    };
    const sent = (token: string) => textOf(probeOf(row).requests(freshValues(token))[0]);
    expect(sent(TOKEN)).toBe('first');
    expect(sent('abc')).toBe('third');
  });
});
