import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createLinter } from './linter.js';
import { root } from './project.js';

const WORKFLOW = '.github/workflows/test.yml';
const text = readFileSync(join(root, WORKFLOW), 'utf8');
const { on, permissions, jobs } = parse(text);

interface Step {
  readonly run?: string;
}

/** The commands of a job, in order. */
const commandsOf = (job: string): readonly string[] =>
  jobs[job].steps.flatMap(({ run }: Step) => (run === undefined ? [] : [run]));

test('the workflow of pull requests and main passes a linter', async () => {
  const lint = await createLinter();
  expect(lint(text, WORKFLOW)).toEqual([]);
  const [wrong] = lint(text.replace('matrix.node }', 'matrix.nodes }'), WORKFLOW);
  expect(wrong?.message).toContain('"nodes" is not defined');
});

test('it runs `npm ci` and `npm test` on every supported version of Node, for pull requests and main', () => {
  expect(on).toEqual({ pull_request: null, push: { branches: ['main'] } });
  expect(commandsOf('test')).toEqual(['npm ci', 'npm test']);
  expect(jobs.test.strategy.matrix.node).toEqual([20, 22, 24]);
  expect(jobs.test.if).toBe(undefined);
});

test('it runs every test on main', () => {
  expect(jobs.all.if).toBe("github.event_name == 'push'");
  expect(commandsOf('all')).toEqual(['.ci/run']);
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^npm ci\nnpm run test:all$/m);
});

test('it may read the repository, knows no secret, and every job has a time limit', () => {
  expect(permissions).toEqual({});
  expect(text).not.toContain('secrets.');
  for (const job of Object.values<Record<string, unknown>>(jobs))
    expect(job).toMatchObject({ permissions: { contents: 'read' }, 'timeout-minutes': expect.any(Number) });
});
