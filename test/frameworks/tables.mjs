// @ts-check
// Writes the results of `npm run frameworks` as a table in Markdown, and as a page with the evidence.
import { readFileSync, writeFileSync } from 'node:fs';
import { RECIPE } from './code.mjs';

/** @typedef {import('./main.mjs').Result} Result */

/** @param {string} name */
const beside = (name) => new URL(name, import.meta.url);

/**
 * Writes both from the results.
 *
 * @param {readonly Result[]} results
 */
export function write(results) {
  writeFileSync(beside('RESULTS.md'), markdown(results));
  writeFileSync(beside('results.html'), html(results));
}

/**
 * How many frameworks break each rule, the most first.
 *
 * @param {readonly Result[]} results
 * @returns {[id: string, severity: 'error' | 'warning', count: number][]}
 */
function rulesOf(results) {
  /** @type {Map<string, [string, 'error' | 'warning', number]>} */
  const rules = new Map();
  for (const { errors, warnings } of results)
    for (const [severity, broken] of /** @type {const} */ ([
      ['error', errors],
      ['warning', warnings],
    ]))
      for (const id of Object.keys(broken)) {
        const [, , count] = rules.get(id) ?? [id, severity, 0];
        rules.set(id, [id, severity, count + 1]);
      }
  return [...rules.values()].sort(([a, , m], [b, , n]) => n - m || a.localeCompare(b));
}

/**
 * The tables of the page, for a reader of the repository.
 *
 * @param {readonly Result[]} results
 */
function markdown(results) {
  const languages = new Set(results.map(({ language }) => language).filter((one) => one !== 'mock server'));
  const byCount = [...results].sort(
    (a, b) =>
      count(a.errors) - count(b.errors) ||
      count(a.warnings) - count(b.warnings) ||
      a.title.localeCompare(b.title),
  );
  const rows = byCount.flatMap(({ name, title, version, language, lines, withRecipe, ...broken }) => [
    `| [${title}](${name}) ${version} | ${language} | ${lines || '–'} | ${brokenIn(broken)} |`,
    ...(withRecipe === undefined
      ? []
      : [`| [… with the recipes](${name}/${RECIPE}) | | +${withRecipe.lines} | ${brokenIn(withRecipe)} |`]),
  ]);
  const fixed = results.flatMap(({ withRecipe }) => withRecipe ?? []);
  const conforming = fixed.filter(({ errors, warnings }) => count(errors) + count(warnings) === 0);
  const rules = rulesOf(results).map(
    ([id, severity, broken]) => `| ${code(id)} | ${severity} | ${broken} of ${results.length} |`,
  );
  return `# What ${results.length} web frameworks do with one POST

${results.length} web frameworks and mock servers in ${languages.size} languages, each with the handler that its own tutorial would write, checked by
\`plant-store-contract check\`. A number is that of broken rules: errors, and warnings. [The page with the evidence](results.html) has the warnings, too;
open it in a browser. \`npm run frameworks\` makes all of it anew.

For ${fixed.length} frameworks the report prints recipes: code for what it found. The line below such a framework has the same handler with
them, and how many lines they add or change. ${conforming.length} of the ${fixed.length} then break nothing.

${readFileSync(beside('lessons.md'), 'utf8').trim()}

| Framework | Language | Lines | Errors | Warnings | Broken with an error |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

| Rule | Severity | Broken by |
| --- | --- | --- |
${rules.join('\n')}
`;
}

/** @param {Pick<Result, 'errors' | 'warnings'>} broken */
function brokenIn({ errors, warnings }) {
  return `${count(errors)} | ${count(warnings)} | ${Object.keys(errors).map(code).join(', ')}`;
}

/** @param {object} broken */
function count(broken) {
  return Object.keys(broken).length;
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

/** @param {readonly Result[]} results */
function html(results) {
  const data = JSON.stringify({ results, rules: rulesOf(results) }).replaceAll('<', '\\u003c');
  return readFileSync(beside('page.html'), 'utf8').replace('"the results"', () => data);
}
