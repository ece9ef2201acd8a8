import { auditPact } from 'plant-store-contract/pact';
import { describe, expect, test, vi } from 'vitest';
import { pactOf } from './one-interaction.js';

const differencesOf = vi.hoisted(() => vi.fn());
vi.mock('../../../src/pact/audit/comparator.js', () => ({ differencesOf }));

const UNHEARD_OF = {
  code: 'response.trailer.unknown',
  message: 'Response trailer is not defined in the spec file: x',
  mockDetails: { location: '[root].interactions[0].response.trailers.x' },
};

describe('the second opinion', () => {
  test('counts where it is about something that has no judge here', async () => {
    differencesOf.mockResolvedValue([{ ...UNHEARD_OF, type: 'error' }]);
    const { interactions } = await auditPact(pactOf({}));
    expect(interactions[0]?.problems).toEqual([
      {
        kind: 'other-difference',
        ...{ side: 'response', part: 'whole' },
        message: 'Response trailer is not defined in the spec file: x.',
        pointer: '/interactions/0/response',
        section: 'Endpoints',
        foundBy: 'comparator',
        comparatorCode: 'response.trailer.unknown',
      },
    ]);
  });

  test('does not count as a warning, nor where our own judges know better', async () => {
    differencesOf.mockResolvedValue([
      { ...UNHEARD_OF, type: 'warning' },
      { code: 'response.body.incompatible', type: 'error', message: 'must be object' },
    ]);
    expect((await auditPact(pactOf({}))).conclusion).toBe('within-the-interface');
  });

  test('is given the documented one of the statuses that a consumer takes, and numbers as doubles', async () => {
    differencesOf.mockResolvedValue([]);
    await auditPact(
      pactOf({
        version: '4.0',
        request: { path: '/v1/plants', body: { name: 'Aloe', id: 9007199254740993n } },
        response: {
          status: 204,
          body: undefined,
          matchingRules: { status: { matchers: [{ match: 'statusCode', status: 'success' }] } },
        },
      }),
    );
    expect(differencesOf).toHaveBeenLastCalledWith(
      expect.objectContaining({
        interactions: [
          {
            description: 'a creation',
            request: {
              method: 'POST',
              path: '/plants',
              headers: { Authorization: ['Bearer example'], 'Content-Type': ['application/json'] },
              body: { name: 'Aloe', id: 2 ** 53 },
            },
            response: { status: 200, headers: { 'Content-Type': ['application/json'] } },
          },
        ],
      }),
    );
  });
});
