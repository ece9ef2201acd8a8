import { validateRequest } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import type { ProbeRequest } from '../../../src/conformance/exchange.js';
import { freshValues } from '../../../src/conformance/probe.js';
import { probeOf, requestsOf } from '../../../src/conformance/row.js';
import { rowsOf } from '../../../src/conformance/rule.js';
import { headers } from '../../../src/conformance/topics/headers.js';
import { tokens } from '../../../src/conformance/topics/tokens.js';
import { checkSendable, headerNames } from '../../../src/http/fields.js';

const token = 'secret-token';
const values = freshValues(token);

const cases = rowsOf(headers)
  .map((row) => probeOf(row))
  .filter(({ name }) => name.includes('/'))
  .flatMap((probe) =>
    requestsOf(probe, values).map((request) => ({
      name: probe.name,
      expectation: probe.expectation,
      request,
    })),
  );

function violations({ headers, body, query = '' }: ProbeRequest): unknown[] {
  return validateRequest({ method: 'POST', url: `/plants${query}`, headers, body });
}

describe('the core', () => {
  test('has valid requests where they must be accepted, and where they may be', () => {
    const possible = cases.filter(({ expectation }) => expectation !== 'rejected');
    expect(possible.length).toBeGreaterThan(10);
    expect(possible.filter(({ request }) => violations(request).length > 0)).toEqual([]);
  });

  test('has invalid requests where they must be rejected', () => {
    const invalid = cases.filter(({ expectation }) => expectation === 'rejected');
    expect(invalid.length).toBeGreaterThan(3);
    expect(invalid.filter(({ request }) => violations(request).length === 0)).toEqual([]);
  });

  test('says which plant comes back', () => {
    for (const { request } of cases) {
      if (request.plant === undefined) continue;
      const { name, id, tag } = JSON.parse(Buffer.from(request.body).toString());
      expect(request.plant).toEqual({ name, id, ...(tag !== undefined && { tag }) });
    }
  });

  test('sends fields as they are, each once, and none that frame the message', () => {
    const requests = rowsOf(tokens)
      .flatMap((row) => (row.name.includes('/') ? requestsOf(row, values) : []))
      .filter(({ transfer }) => transfer?.awaitContinue !== true);
    for (const { headers: fields } of [...cases.map(({ request }) => request), ...requests]) {
      const names = headerNames(fields).map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
      expect(names).not.toContain('expect');
      expect(
        names.filter((name) => /^(content-length|transfer-encoding|connection|host|te)$/.test(name)),
      ).toEqual([]);
      for (const [name, value] of fields) checkSendable(name, value);
    }
  });
});
