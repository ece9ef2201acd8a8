import { marked } from 'marked';
import { reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { evidenceOf } from '../../conformance/checks.js';
import { poisoned } from './hostile.js';
import { quickReportOn } from './reports.js';

/** The Markdown as HTML, with every element that it has, in order. */
function rendered(markdown: string): { html: string; tags: string[] } {
  const html = marked.parse(markdown, { async: false, gfm: true }) as string;
  return { html, tags: [...html.matchAll(/<(\w+)/g)].map(([, tag = '']) => tag) };
}

/** The texts of the cells of all tables. */
function cellsOf(html: string): string[] {
  return [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => decoded(cell));
}

function decoded(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

test('a provider that conforms: the conclusion, the counts, every rule', async () => {
  const only = ['success', 'unspecified/missing-token'];
  const report = await quickReportOn([], { only });
  const { html } = rendered(reporters.markdown(report));
  expect(decoded(html)).toMatch(/^<h1>✅ Conforms<\/h1>\n<p><strong>POST/);
  expect(decoded(html)).toContain(report.summary);
  expect(cellsOf(html).slice(0, 7)).toEqual(Object.values(report.counts).map(String));
  for (const { id } of report.rules)
    expect(cellsOf(html)).toContainEqual(expect.stringMatching(new RegExp(`^${id}( · |$)`)));
  for (const { sentence } of report.profile.behaviours)
    expect(cellsOf(html)).toContainEqual(expect.stringMatching(`<br>${sentence.replaceAll(/[.()]/g, '.')}$`));
  expect(html).not.toContain('Prism');
  expect(html).not.toContain('problem');
});

test('a failure comes with its likely cause, its fix and a command that reproduces it', async () => {
  const report = await quickReportOn(['leaks-id', 'accepts-null-tag']);
  const markdown = reporters.markdown(report);
  const { html } = rendered(markdown);
  expect(html).toMatch(/^<h1>❌ Does not conform<\/h1>/);
  expect(html).toContain('<h3>2. A plant whose tag is null is accepted. (accepts bad input)</h3>');
  expect(html).toContain('<strong>Usual cause:</strong> The framework reads null as a missing field.');
  expect(html).toContain(
    '<strong>Fix:</strong> Reject null, or ask whether the member is there before you read its value.',
  );
  expect(cellsOf(html)).toContain('a rejection: a 4xx with an Error');
  const [failure] = evidenceOf(report, 'request/null-tag-is-refused');
  expect(markdown).toContain(`\n\`\`\`sh\n${failure?.reproduce}\n\`\`\`\n`);
  expect(html).toMatch(/<summary>Also fails for \d+ others<\/summary>/);
});

test('what could not be judged comes with its reason', async () => {
  const { html } = rendered(reporters.markdown(await quickReportOn(['answers-204'])));
  expect(html).toMatch(/<li>■ blocked .*: no creation returned 200 with a JSON object/);
});

test('whatever a provider sends, it is text in one cell or in one block of code', async () => {
  const report = await quickReportOn(['leaks-id', 'answers-html-errors', 'mixes-answers']);
  const clean = rendered(reporters.markdown({ ...report, notes: ['a note'] }));
  const { html, tags } = rendered(reporters.markdown(poisoned(report)));
  expect(tags).toEqual(clean.tags);
  const { length } = cellsOf(clean.html).filter((cell) => cell.startsWith('a plain plant'));
  expect(cellsOf(html).filter((cell) => /^a plain plant.*one.*END$/.test(cell))).toHaveLength(length);
  expect(html).not.toContain('\u001b');
});

test('the addresses and issue numbers of strangers make no link, and long texts take no time', async () => {
  const report = await quickReportOn([], { only: ['success'] });
  const written = (text: string): string => reporters.markdown({ ...report, subject: text });
  expect(written('see www.example.com, #12, owner/name#3 and GH-12')).toContain(
    '**see www<!-- -->.example.com, #<!-- -->12, owner/name#<!-- -->3 and GH<!-- -->-12**',
  );
  const { tags } = rendered(written('www.example.com #12'));
  expect(tags).not.toContain('a');
  // With a quadratic pattern, each takes minutes.
  for (const part of [' ', '1', '[', '\n ', '. ']) written(part.repeat(500_000));
});
