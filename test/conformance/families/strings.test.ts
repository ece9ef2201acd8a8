import { probes } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { probeFrom } from '../../../src/conformance/families/draft.js';
import { isPlainName, isPlainTag } from '../../../src/conformance/families/plain-strings.js';
import { drawStrings } from '../../../src/conformance/families/strings/explore.js';
import { pairProbes } from '../../../src/conformance/families/strings/pairs.js';
import { wordProbes } from '../../../src/conformance/families/strings/plain.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { drawn, misjudged, serverWith } from './drawn.js';
import { foundBy } from './found-by.js';

const values = freshValues('a-token-of-these-tests');
const requests = [...wordProbes, ...pairProbes].flatMap((probe) => probe.requests(values));

describe('core strings', () => {
  test('are in the body as the plant says', () => {
    for (const { body, plant, id } of requests) {
      expect(JSON.parse(Buffer.from(body).toString())).toEqual(plant);
      expect(plant?.id).toBe(id);
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
    const marks = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at)).filter(
      (mark) => !/[0-9A-Za-z]/.test(mark),
    );
    expect(marks).toHaveLength(32);
    expect(marks.filter((mark) => !strings.some((text) => text.slice(1, -1).includes(mark)))).toEqual([]);
    expect(marks.filter((mark) => strings.some((text) => text.startsWith(mark))).length).toBeGreaterThan(8);
    expect(marks.filter((mark) => strings.some((text) => text.endsWith(mark))).length).toBeGreaterThan(8);
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

describe('only strings show that the provider', () => {
  test.for([
    'drops-tag-equal-to-name',
    'reads-false-tag-as-missing',
    'reads-numeric-tags',
    'reads-exponents-in-names',
    'parses-bracketed-tags',
    'strips-outer-quotes',
    'escapes-formulas',
    'removes-directions',
    'composes-tags',
    'replaces-dollar-patterns',
    'truncates-tags',
    'refuses-keywords',
  ] as const)('%s', async (fault) => {
    expect((await foundBy(fault)).families).toEqual(['strings']);
  });
});

describe('drawn strings', () => {
  const drafts = drawn(drawStrings, 1_500);
  const drawnRequests = drafts.flatMap((draft) => probeFrom(draft).requests(values));

  test('are in the body as the plant says', () => {
    for (const { body, plant } of drawnRequests)
      expect(JSON.parse(Buffer.from(body).toString())).toEqual(plant);
  });

  test('must be accepted only if they are plain', () => {
    for (const draft of drafts) {
      const [request] = probeFrom(draft).requests(values);
      const { name = '', tag = 'succulent' } = request?.plant ?? {};
      if (draft.expectation === 'created') expect([isPlainName(name), isPlainTag(tag)]).toEqual([true, true]);
    }
    const expectations = new Set(drafts.map(({ expectation }) => expectation));
    expect([...expectations].sort()).toEqual(['created', 'open']);
  });

  test('are as expected at the reference server', async () => {
    expect(await misjudged(drafts)).toEqual([]);
  });

  test('have every mark of ASCII at the beginning, inside and at the end', () => {
    const strings = drawnRequests.flatMap(({ plant }) => [plant?.name ?? '', plant?.tag ?? '']);
    for (const mark of '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~') {
      expect(
        strings.some((text) => text.startsWith(mark)),
        mark,
      ).toBe(true);
      expect(
        strings.some((text) => text.slice(1, -1).includes(mark)),
        mark,
      ).toBe(true);
      expect(
        strings.some((text) => text.endsWith(mark)),
        mark,
      ).toBe(true);
    }
  });

  test.for([
    'drops-tag-equal-to-name',
    'reads-exponents-in-names',
    'strips-outer-quotes',
    'escapes-formulas',
    'removes-directions',
    'composes-tags',
    'truncates-tags',
    'trims-texts',
  ] as const)('show the fault %s', async (fault) => {
    const send = serverWith([fault]);
    const changed: unknown[] = [];
    for (const request of drawnRequests) {
      const { status, text } = await send(request);
      const { id, ...plant } = request.plant ?? { id: 0 };
      if (status === 200 && JSON.stringify(JSON.parse(text)) !== JSON.stringify(plant)) changed.push(id);
    }
    expect(changed).not.toEqual([]);
  });

  test('show the fault refuses-keywords', async () => {
    expect(await misjudged(drafts, ['refuses-keywords'])).not.toEqual([]);
  });
});
