import { checkConformance, type HouseRule } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const token = 'token-of-these-tests';
const right: HouseRule = { id: 'house/right', title: 'It is right.', judge: () => undefined };

const endless = (): never => {
  for (;;);
};

/** Checks with house rules. */
async function check(
  houseRules: readonly HouseRule[],
  { fetch } = createPlantStore({ token }) as { fetch?: (request: Request) => Promise<Response> },
) {
  return await checkConformance({
    ...{ baseUrl: 'http://127.0.0.1:1', token, prism: false, quick: true },
    ...{ only: ['success', 'house'], houseRules, ...(fetch !== undefined && { fetch }) },
  });
}

describe('a rule that cannot judge is never a pass:', () => {
  test('a judge that never ends is ended, and another rule of the same check still judges', async () => {
    const report = await check([{ ...right, id: 'house/endless', judge: endless }, right]);
    const reason = 'its judge took too long, and was ended at a plain plant without a tag';
    expect(report.houseRules).toMatchObject([{ verdict: 'error', reason }, { verdict: 'pass' }]);
  });

  test('a probe that never ends has made no requests', async () => {
    const probes = [{ name: 'house/probe', title: 'a plant', requests: endless }] as const;
    await expect(check([{ ...right, probes }])).rejects.toThrow(
      'the probe house/probe takes longer than 1000 ms to make its requests',
    );
  });

  test('a provider that cannot be tested blocks it', async () => {
    expect(await check([right], {})).toMatchObject({
      conclusion: 'not-testable',
      houseRules: [{ verdict: 'blocked' }],
    });
  });
});
