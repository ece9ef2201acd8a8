import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/conformance/probe.js';
import { rowsOf } from '../../../src/conformance/rule.js';
import { sequences } from '../../../src/conformance/topics/sequences.js';
import { requestsOf, serverWith, textOf } from './drawn.js';

describe('sequences', () => {
  const rows = rowsOf(sequences).filter(({ name }) => name.startsWith('sequences/')) as readonly Row[];

  test('have only true duplicates, which the reference server rejects', async () => {
    for (const row of rows) {
      const send = serverWith();
      for (const request of requestsOf(row)) {
        const kind = request.idMayExist ? 'duplicate' : (request.expectation ?? row.expectation);
        const isRejected = kind === 'duplicate' || kind === 'rejected';
        expect([kind, (await send(request)).status]).toEqual([kind, isRejected ? 400 : 200]);
      }
    }
  });

  test('have another name for each duplicate', () => {
    for (const row of rows) {
      const bodies = requestsOf(row)
        .filter(({ expectation }) => expectation !== 'rejected')
        .map(textOf);
      expect(new Set(bodies).size).toBe(bodies.length);
    }
  });
});
