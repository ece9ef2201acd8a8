import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closed, shipped, withOtherRejections, withoutAllOf, yamlOf } from '../document.mjs';
import { findCommand } from '../find-command.mjs';
import { findTool } from '../find-tool.mjs';
import { runCommand } from '../processes.mjs';

const HOOKS = new URL('../schemathesis_hooks.py', import.meta.url);
const COMMON = ['--no-color', '--seed', '1'];

/** Schemathesis, with flags. Its findings are the title of each failure and what it says about it. */
function schemathesis(name, { settings, page, flags, documentOf, hooks }) {
  return {
    name,
    settings,
    page,
    find: (tools) => findTool('schemathesis', tools),
    async run({ url, token, work, tools, limitMs }) {
      await writeFile(join(work, 'openapi.yaml'), yamlOf(documentOf()));
      await copyFile(HOOKS, join(work, 'hooks.py'));
      const header = `Authorization: Bearer ${token}`;
      const { status, stdout, timedOut } = await runCommand(
        await findCommand('schemathesis', tools),
        ['run', 'openapi.yaml', '--url', url, '--header', header, ...COMMON, ...flags],
        { limitMs, cwd: work, env: hooks ? { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: work } : {} },
      );
      return { failed: status !== 0, findings: findingsOf(stdout), timedOut };
    },
  };
}

/**
 * A failure is written as `- ST108 Response violates schema` and paragraphs that are indented. The first one says what is wrong;
 * the others show values. An error has its title and its cause on lines of their own: `Network Error`, `Connection failed`.
 */
export function findingsOf(stdout) {
  const [, errors = ''] = /^=+ ERRORS =+$([\s\S]*?)^=+ /m.exec(stdout) ?? [];
  const failures = stdout.split(/^- (?=ST\d+ )/m).slice(1);
  return [...errors.matchAll(/^[A-Z][A-Za-z ]{3,40}$/gm)].map(String).concat(failures.map(findingOf));
}

function findingOf(failure) {
  const [title, ...paragraphs] = failure.split('\n\n');
  const first = paragraphs.find((paragraph) => paragraph.startsWith('    ')) ?? '';
  return normalised(`${title.trim()}: ${first.trim()}`);
}

/** Without values that were sent, and without the address. */
function normalised(message) {
  return message
    .replaceAll(/http:\/\/[\d.:]+/g, '<url>')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\d{4,}/g, '<number>')
    .slice(0, 300);
}

export const schemathesisRuns = [
  schemathesis('Schemathesis', {
    settings: 'the shipped document, the bearer token; else its defaults',
    page: 'https://schemathesis.readthedocs.io/en/stable/quick-start/',
    flags: [],
    documentOf: shipped,
    hooks: false,
  }),
  schemathesis('Schemathesis (thorough)', {
    settings:
      '--continue-on-failure --max-examples 100, health checks off, the document without allOf, with a closed 200 and other 4xx, and a hook that never uses an id twice',
    page: 'https://schemathesis.readthedocs.io/en/stable/guides/config-optimization/',
    flags: [
      ...['--continue-on-failure', '--max-examples', '100'],
      ...['--suppress-health-check', 'filter_too_much,too_slow', '--output-truncate', 'false'],
    ],
    documentOf: () => withOtherRejections(closed(withoutAllOf(shipped()))),
    hooks: true,
  }),
];
