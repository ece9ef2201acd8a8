import { rules } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { topicOf } from '../../../src/conformance/rule.js';
import { allFaults } from '../faults/index.js';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

// verdicts.all.test.ts has all of them.

const table = readTable();
const topics = [...new Set(rules.filter(({ level }) => level !== 'unspecified').map(topicOf))];

/** A fault that breaks one rule, which is of this topic. */
const faultOf = (topic: string): string | undefined =>
  allFaults.find(
    ({ breaks, needsExploring }) =>
      needsExploring !== true && breaks.length === 1 && breaks.every((id) => topicOf({ id }) === topic),
  )?.name;

describe('the verdicts are those of the table for', () => {
  test.for([
    ...topics.map((topic) => `fault: ${faultOf(topic)}`),
    'correct: everything is as strict as possible',
    'correct: responses are in Brotli, in chunks',
  ])('%s', async (name) => {
    const subject = subjects.find((one) => one.name === name);
    expect(await subject?.check()).toEqual(table[name]);
  });
});
