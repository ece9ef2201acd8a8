import { toConformToPlantStore } from 'plant-store-contract/matchers';
import { expect, test } from 'vitest';
import type { MatcherResult } from '../../src/matchers/result.js';
import { jsonText, logText, shellLine, visibleInLine } from '../../src/output/escape.js';

// Texts that are commands to a CI system. What whole commands write is tested in commands.real.test.ts.

test('JSON says the same', () => {
  const data = { '##[error]e': ['::error::e', '\\##[error]'] };
  expect(jsonText(data)).not.toMatch(/##\[/);
  expect(JSON.parse(jsonText(data))).toEqual(data);
});

test('a log keeps its lines', () => {
  expect(logText('a\n  ::b::\nc')).toBe('a\n  \\u003a:b::\nc');
  expect(visibleInLine('##[a] ## b [c]')).toBe('\\u0023#[a] ## b [c]');
  expect(shellLine("curl 'a\u001b[2J'")).toBe("curl 'a\\u001b[2J'");
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
