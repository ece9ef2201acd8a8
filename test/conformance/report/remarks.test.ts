import { expect, test } from 'vitest';
import type { PrismOpinion } from '../../../src/conformance/judge/prism.js';
import { prismSection, remarkOnPrism } from '../../../src/conformance/report/notes.js';

const accepted = (exchange: number, rule: string) => ({ exchange, prism: [], rules: [rule] });
const objected = (exchange: number) => ({ exchange, prism: ['no name'], rules: [] });

test.each<[string, PrismOpinion, string, ...string[]]>([
  ['agrees', { responses: 96, disagreements: [] }, 'Prism agrees with the rules on all 96 responses.'],
  [
    'accepts what breaks rules',
    {
      responses: 96,
      disagreements: [accepted(0, 'success/a'), accepted(1, 'success/a'), accepted(2, 'success/b')],
    },
    'Prism judges 3 of 96 responses differently from the rules. This changes no result.',
    'It accepts 3 that break success/a; success/b.',
  ],
  [
    'objects to what breaks none',
    { responses: 96, disagreements: [objected(7)] },
    'Prism judges 1 of 96 responses differently from the rules. This changes no result.',
    'It objects to 1 that breaks none. Sent: plant 7.',
  ],
  [
    'does both, and much of it',
    { responses: 96, disagreements: [accepted(0, 'success/a'), ...[1, 2, 3, 4, 5].map(objected)] },
    'Prism judges 6 of 96 responses differently from the rules. This changes no result.',
    'It accepts 1 that breaks success/a.',
    'It objects to 5 that break none. Sent: plant 1; plant 2; plant 3; 2 more.',
  ],
  [
    'judged one response',
    { responses: 1, disagreements: [] },
    'Prism agrees with the rules on the one response.',
  ],
])('a report says in one sentence that Prism %s, and the rest apart', (_what, opinion, remark, ...rest) => {
  expect(remarkOnPrism(opinion)).toBe(remark);
  const sections = prismSection(opinion, (exchange) => `plant ${exchange}`);
  expect(sections.flatMap(({ items }) => items)).toEqual(rest);
  expect(sections.every(({ isReference }) => isReference)).toBe(true);
});
