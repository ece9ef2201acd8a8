import { probes } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { isPlainName, isPlainTag } from '../../../src/conformance/families/plain-strings.js';
import { drawStrings } from '../../../src/conformance/families/strings/explore.js';
import { pairProbes } from '../../../src/conformance/families/strings/pairs.js';
import { wordProbes } from '../../../src/conformance/families/strings/plain.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { drawn, requestsOf, textOf } from './drawn.js';

const values = freshValues('a-token-of-these-tests');
const requests = [...wordProbes, ...pairProbes].flatMap((probe) => probe.requests(values));

/** All marks of ASCII. */
const MARKS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];

describe('core strings', () => {
  test('are in the body as the plant says', () => {
    for (const request of requests) {
      expect(JSON.parse(textOf(request))).toEqual(request.plant);
      expect(request.plant?.id).toBe(request.id);
    }
  });

  test('are plain if every provider must accept them', () => {
    for (const { plant } of wordProbes.flatMap((probe) => probe.requests(values)))
      expect([isPlainName(plant?.name ?? ''), isPlainTag(plant?.tag ?? '')]).toEqual([true, true]);
    for (const { plant } of pairProbes.flatMap((probe) => probe.requests(values)))
      expect(isPlainName(plant?.name ?? '') || isPlainTag(plant?.tag ?? '')).toBe(false);
  });

  test('have every mark of ASCII inside, and many at both ends', () => {
    const strings = requests.flatMap(({ plant }) => [plant?.name ?? '', plant?.tag ?? '']);
    expect(MARKS.filter((mark) => !strings.some((text) => text.slice(1, -1).includes(mark)))).toEqual([]);
    expect(MARKS.filter((mark) => strings.some((text) => text.startsWith(mark))).length).toBeGreaterThan(8);
    expect(MARKS.filter((mark) => strings.some((text) => text.endsWith(mark))).length).toBeGreaterThan(8);
  });

  test('have fresh names where names may have to be unique', () => {
    const again = pairProbes.flatMap((probe) => probe.requests(freshValues('a-token-of-these-tests')));
    const names = new Set(requests.map(({ plant }) => plant?.name));
    expect(again.filter(({ plant }) => names.has(plant?.name))).toEqual([]);
  });

  test('come with the rules that judge them', () => {
    for (const { rules } of [...wordProbes, ...pairProbes]) expect(rules).not.toEqual([]);
    expect(probes.filter(({ name }) => name.startsWith('strings/'))).toHaveLength(requests.length);
  });
});

describe('drawn strings', () => {
  const drafts = drawn(drawStrings, 1_500);
  const drawnRequests = drafts.flatMap(requestsOf);

  test('are in the body as the plant says', () => {
    for (const request of drawnRequests) expect(JSON.parse(textOf(request))).toEqual(request.plant);
  });

  test('must be accepted only if they are plain', () => {
    for (const draft of drafts) {
      const [request] = requestsOf(draft);
      const { name = '', tag = 'succulent' } = request?.plant ?? {};
      if (draft.expectation === 'created') expect([isPlainName(name), isPlainTag(tag)]).toEqual([true, true]);
    }
    const expectations = new Set(drafts.map(({ expectation }) => expectation));
    expect([...expectations].sort()).toEqual(['created', 'open']);
  });

  test('have every mark of ASCII at the beginning, inside and at the end', () => {
    const strings = drawnRequests.flatMap(({ plant }) => [plant?.name ?? '', plant?.tag ?? '']);
    const lacking = MARKS.filter(
      (mark) =>
        !strings.some((text) => text.startsWith(mark)) ||
        !strings.some((text) => text.slice(1, -1).includes(mark)) ||
        !strings.some((text) => text.endsWith(mark)),
    );
    expect(lacking).toEqual([]);
  });
});
