import { type Case, type Finding, reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { reportWith } from './reports.js';

const LONG = `// ${'a line that is longer than a terminal is wide, and that a shell or a compiler must get in one piece '.repeat(2)}`;
const CODE = ['app.use(() => {', `  ${LONG}`, '', '  return `</pre>\u001b[31m`; // ```', '});'];

const CASES: readonly Case[] = ['failure/media-type-is-json', 'failure/body-is-an-error'].map((id) => ({
  id,
  title: `the rule ${id}`,
  verdict: 'fail',
  evidence: [{ actual: 'text/html', finding: 0 }],
}));

const FINDING: Finding = {
  id: 'framework-error-page',
  title: 'The body of a 404 is not an Error.',
  impact: 'errors',
  cause: 'Failures are HTML pages, not Errors (the default of Express).',
  fix: 'Register an error handler.',
  recipe: { framework: 'Express', text: 'Put this after all routes.', language: 'js', code: CODE.join('\n') },
  cases: CASES.map(({ id }) => id),
};

const REPORT = reportWith({ groups: [{ title: 'failure', cases: CASES }], findings: [FINDING] });

/** The code as every format must show it: no line is broken, and no control character is left. */
const SHOWN = CODE.map((line) => line.replace('\u001b', '\\u001b'));

test('the text report has the code in lines of their own, which are not wrapped', () => {
  const indented = SHOWN.map((line) => (line === '' ? '' : `      ${line}`)).join('\n');
  for (const verbose of [false, true])
    expect(reporters.text(REPORT, { width: 60, verbose })).toContain(
      `   Fix: Register an error handler.\n   Recipe for Express: Put this after all routes.\n${indented}\n`,
    );
});

test('the text report has one blank line where the code has two, and every line with verbose', () => {
  const recipe = { framework: 'FastAPI', text: 'Put this first.', language: 'python', code: 'one\n\n\ntwo' };
  const report = { ...REPORT, findings: [{ ...FINDING, recipe }] };
  expect(reporters.text(report)).toContain('      one\n\n      two\n');
  expect(reporters.text(report, { verbose: true })).toContain('      one\n\n\n      two\n');
});

test('Markdown has the code in a fence that it cannot end', () => {
  expect(reporters.markdown(REPORT)).toContain(
    `**Recipe for Express:** Put this after all routes.\n\n<details><summary>Code</summary>\n\n\`\`\`\`js\n${SHOWN.join('\n')}\n\`\`\`\`\n`,
  );
});

test('HTML has the code as text', () => {
  const html = reporters.html(REPORT);
  expect(html).toContain('<strong>Recipe for Express:</strong> Put this after all routes.');
  expect(html).toContain(SHOWN.join('\n').replaceAll('>', '&gt;').replaceAll('<', '&lt;'));
});

test('a code that two findings have is written out with the first', () => {
  const second: Finding = { ...FINDING, id: 'failure/refusal-is-4xx', title: 'Input causes an exception.' };
  const report = { ...REPORT, findings: [FINDING, second] };
  for (const name of ['text', 'markdown', 'html'] as const) {
    const written = reporters[name](report, { verbose: true }).replaceAll(/\s+/g, ' ');
    expect(written.split('app.use(()').length).toBe(2);
    expect(written).toContain('The code is above.');
  }
});
