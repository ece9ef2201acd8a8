import { type MatcherResult, toConformToPlantStore } from 'plant-store-contract/matchers';
import { expect, test } from 'vitest';
import { jsonText } from '../../src/report/escape.js';

// Texts that are commands to a CI system. What whole commands write is tested in commands.real.test.ts.

test('JSON says the same', () => {
  const unseen = ['\u007f\u0085\u009b2J', '\u202e\u2066\u200f\u061c', '\ud800\ufffe\u0000'];
  const data = { '##[error]e': ['::error::e', '\\##[error]'], [unseen.join('')]: unseen };
  const text = jsonText(data, 2);
  expect(text).not.toMatch(/##\[/);
  expect(text.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(text)).toEqual(data);
});

test('a matcher gives no command', () => {
  const sent = "##teamcity[buildProblem description='d']\n::error::e\r ::error::e";
  const { pass, message } = toConformToPlantStore.call(
    {},
    { status: 200, headers: { 'content-type': 'application/json' }, body: { name: 'Aloe', [sent]: 1 } },
  ) as MatcherResult;
  expect([pass, message().includes('teamcity')]).toEqual([false, true]);
  expect(message()).not.toMatch(/##teamcity\[|^\s*::/m);
});
