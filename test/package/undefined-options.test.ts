import { checkConformance, planCheck } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { creation } from '../server/plant-request.js';

// types.all.test.ts has the types: `undefined` is allowed for every optional option.
test('an option that is undefined is one that is left out', async () => {
  const { fetch, next } = createPlantStore({ token: 'secret', delayMs: undefined, rejections: undefined });
  const options = {
    only: ['house/is-asked', 'success/plant-fields-only'],
    skip: undefined,
    prism: undefined,
  };
  const row = {
    name: 'house/row',
    title: 'a row',
    requests: [{ body: '{"name":"Aloe","id":<ID>}', headers: undefined }],
  } as const;
  const report = await checkConformance({
    baseUrl: 'http://localhost',
    token: 'secret',
    fetch,
    ...options,
    timeoutMs: undefined,
    rate: undefined,
    headers: undefined,
    ca: undefined,
    explore: undefined,
    houseRules: [
      {
        id: 'house/is-asked',
        title: 'a',
        usualCause: 'b',
        fix: 'c',
        why: undefined,
        rows: [{ ...row, phase: undefined, expectation: undefined, control: undefined }],
        judge: () => undefined,
      },
    ],
  });
  expect([report.conclusion, report.rules.map(({ verdict }) => verdict)]).toEqual(['conforms', ['pass']]);
  expect(planCheck({ only: undefined, houseRules: undefined })).toEqual(planCheck());
  next({ status: 503, message: undefined, headers: undefined, when: undefined, every: undefined });
  const request = creation(undefined, { headers: { authorization: 'Bearer secret' } });
  expect((await fetch(request)).status).toBe(503);
});
