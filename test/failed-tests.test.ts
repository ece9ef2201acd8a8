import { expect, test } from 'vitest';
import { againArguments, failedTests } from './failed-tests.mjs';

const passed = { fullName: 'a passes', status: 'passed' };

test('the failed tests of a report, by file; a file that cannot be loaded fails as a whole', () => {
  const failed = failedTests({
    success: false,
    testResults: [
      { name: '/a.test.ts', status: 'passed', assertionResults: [passed] },
      {
        name: '/b.test.ts',
        status: 'failed',
        assertionResults: [passed, { fullName: 'b (1/2) fails', status: 'failed' }],
      },
      { name: '/c.test.ts', status: 'failed', assertionResults: [] },
    ],
  });
  expect([...failed]).toEqual([
    ['/b.test.ts', ['b (1/2) fails']],
    ['/c.test.ts', []],
  ]);
});

test('only they run again', () => {
  expect(againArguments('/c.test.ts', [])).toEqual(['/c.test.ts']);
  const [file, flag, pattern = ''] = againArguments('/b.test.ts', ['b (1/2) fails', 'b [x] $y']);
  expect([file, flag]).toEqual(['/b.test.ts', '--testNamePattern']);
  for (const name of ['b (1/2) fails', 'b [x] $y']) expect(name).toMatch(new RegExp(pattern));
  for (const name of ['b (1/2) fails too', 'no b [x] $y']) expect(name).not.toMatch(new RegExp(pattern));
});
