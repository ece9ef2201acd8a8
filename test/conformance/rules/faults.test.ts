import { rules } from 'plant-store-contract/conformance';
import { loadFaults } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { topicOf } from '../../../src/conformance/rule.js';
import { rulesBrokenBy } from './fault-checks.js';
import { isOfTiming } from './timed-faults.js';

const demands = rules.filter(({ level }) => level !== 'unspecified');
const faults = await loadFaults();

test('every rule that a fault names exists', () => {
  const known = new Set<string>(rules.map(({ id }) => id));
  expect(faults.flatMap(({ breaks }) => breaks).filter((id) => !known.has(id))).toEqual([]);
});

test('every rule that demands something is broken by a fault', () => {
  const broken = new Set<string>(faults.flatMap(({ breaks }) => breaks));
  expect(demands.filter(({ id }) => !broken.has(id))).toEqual([]);
});

// faults.all.test.ts has all of them.
describe('a fault of each topic breaks exactly the rules that it names', () => {
  const topics = [...new Set(demands.map(topicOf))];
  test.for(topics)('%s', async (topic) => {
    const ofTopic = faults.find(
      (fault) =>
        fault.needsExploring !== true &&
        !isOfTiming(fault) &&
        fault.breaks.length === 1 &&
        fault.breaks.every((id) => topicOf({ id }) === topic),
    );
    expect(ofTopic === undefined ? topic : await rulesBrokenBy(ofTopic)).toEqual(ofTopic?.breaks);
  });
});
