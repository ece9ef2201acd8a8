import { rules } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { topicOf } from '../../../src/conformance/rule.js';
import { problemsOf, recordsFor } from './records.js';

// One test for each topic, and each reads the records anew: Stryker runs the tests that reached a mutant, and what one
// test keeps for the next would hide that.
test.each([...new Set(rules.map(topicOf))])('the rules of %s judge as before', (topic) => {
  for (const recorded of recordsFor(topic))
    expect([recorded.name, ...problemsOf(recorded, topic)]).toEqual([recorded.name]);
});
