import { reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { HOSTILE, poisoned } from './hostile.js';
import { idsOf, quickReportOn } from './reports.js';

interface Annotation {
  readonly command: string;
  readonly title: string;
  readonly message: string;
}

/** Reads commands as the runner of GitHub Actions does, and gives the lines that are none. */
function read(text: string): { annotations: Annotation[]; lines: string[] } {
  const annotations: Annotation[] = [];
  const lines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, command, title, message] = /^\s*::(\w+) title=([^:,]*)::(.*)$/.exec(line) ?? [];
    if (command === undefined || title === undefined || message === undefined) lines.push(line);
    else annotations.push({ command, title: unescaped(title), message: unescaped(message) });
  }
  return { annotations, lines };
}

function unescaped(text: string): string {
  return text.replace(/%(25|0D|0A|3A|2C)/g, (code) => decodeURIComponent(code));
}

test('a provider that conforms gets one line', async () => {
  const report = await quickReportOn([]);
  const { pass, observed } = report.counts;
  const counts = `${pass} pass, ${observed} observed`;
  expect(reporters.github(report)).toBe(`${report.subject}: conforms (${counts}). ${report.summary}\n`);
});

test('each broken rule is an error with all that is needed to fix it', async () => {
  const report = await quickReportOn(['leaks-id', 'accepts-null-tag']);
  const { annotations, lines } = read(reporters.github(report));
  expect(annotations.map(({ command, title }) => [command, title])).toEqual([
    ['error', 'success/plant-fields-only'],
    ['error', 'request/null-tag-is-refused'],
  ]);
  expect(annotations[1]?.message.split('\n')).toEqual([
    'A plant whose tag is null is accepted. (accepts bad input)',
    'Usual cause: The framework reads null as a missing field.',
    'Fix: Reject null, or ask whether the member is there before you read its value.',
    'request/null-tag-is-refused (implied): A plant whose tag is null is accepted.',
    'sent       a plant whose tag is null',
    'expected   a rejection: a 4xx with an Error',
    expect.stringContaining('got        200 (application/json) {'),
    expect.stringContaining('reproduce  curl '),
  ]);
  expect(lines).toEqual([expect.stringContaining(': does not conform ('), '']);
});

test('what could not be judged is a warning', async () => {
  const report = await quickReportOn(['answers-204']);
  const { annotations } = read(reporters.github(report));
  const warnings = annotations.filter(({ command }) => command === 'warning');
  expect(warnings.map(({ title }) => title)).toEqual(idsOf(report, 'blocked'));
  expect(warnings[0]?.message).toContain('Not judged: no creation returned 200');
});

test('what is expected to fail is a notice, and an error if it passes', async () => {
  const expectedFailures = [{ rule: 'success/plant-fields-only', reason: 'clients read the id' }];
  const only = ['success/plant-fields-only'];
  const known = read(reporters.github(await quickReportOn(['leaks-id'], { expectedFailures, only })));
  expect(known.annotations).toEqual([
    {
      command: 'notice',
      title: 'success/plant-fields-only',
      message: expect.stringContaining('\nexpected to fail: clients read the id'),
    },
  ]);
  const outdated = read(reporters.github(await quickReportOn([], { expectedFailures, only })));
  expect(outdated.annotations).toEqual([
    {
      command: 'error',
      title: 'success/plant-fields-only',
      message: expect.stringContaining('\nexpected failure now passes; remove it from the list'),
    },
  ]);
});

test('whatever a provider sends, it gives no command and no further line', async () => {
  const report = await quickReportOn(['leaks-id', 'answers-201']);
  const text = reporters.github(poisoned(report));
  const { annotations, lines } = read(text);
  const broken = [...idsOf(report, 'fail'), ...idsOf(report, 'blocked')];
  expect(annotations.map(({ title }) => title).sort()).toEqual(
    // A note.
    [...broken, 'check'].sort(),
  );
  expect(annotations.map(({ message }) => message).join()).toContain('%0A <!-- -->');
  expect(lines).toHaveLength(2);
  // The runner takes a command of the old form from the middle of a line as well.
  expect(lines[0]).toContain('\\u0023#[error]forged');
  expect(lines[0]).not.toContain('##[');
  expect(text).not.toContain('\u001b');
  expect(HOSTILE).toContain('\u001b');
});
