import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plantStore } from '../cli/console.js';
import { PAGES, type Page, readPage } from './pages.js';

const root = new URL('../..', import.meta.url).pathname;

const EXPLORING = 'docs/fuzzing.md';

const CLI = 'docs/command-line.md';

/** The pages that describe a command. */
const PAGES_OF: Readonly<Record<string, string | readonly string[]>> = {
  serve: ['docs/mock-server.md', 'docs/faults.md', 'docs/control-api.md'],
  check: ['docs/check.md', EXPLORING, CLI],
  rules: 'docs/check.md',
  demo: 'docs/check.md',
  verify: ['docs/pact.md', CLI],
  audit: 'docs/pact.md',
  init: CLI,
  proxy: 'docs/proxy.md',
  validate: 'docs/validation.md',
};

/** Options of other programs that pages name in their text. */
const FOREIGN_FLAGS = [
  '--pacticipant',
  '--publish',
  '--to-environment',
  '--save-dev',
  '--update',
  '--test',
  '--parallel',
  '--experimental-vm-modules',
  '--detach',
  // of curl and HTTPie
  '--compressed',
  '--print',
  '--pretty',
];

const pages = Object.keys(PAGES).map(readPage);
const pageAt = (path: string): Page => pages.find((page) => page.path === path) ?? readPage(path);

/** Pages that are generated, or grow with each version. */
const FURTHER = [
  ...['CHANGELOG.md', 'docs/api.md', 'test/frameworks/RESULTS.md'],
  ...['rules', 'faults', 'pact-faults'].map((name) => `spec/generated/${name}.md`),
].map(readPage);

const isLocal = (link: string): boolean => !/^[a-z]+:/i.test(link);

/** The file or folder that a link leads to, from the root of the repository. */
function targetOf(page: Page, link: string): string {
  const [path = ''] = link.split('#');
  return path === '' ? page.path : normalize(join(dirname(page.path), decodeURI(path)));
}

/** All flags that the help of a command lists: `--port`. */
async function flagsOf(command: string): Promise<string[]> {
  const { stdout } = await plantStore([command, '--help']);
  return [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag);
}

describe('every page', () => {
  test.for(pages)('$path is short enough to be read', ({ path, text }) => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(PAGES[path] as number);
  });

  test.for([...pages, ...FURTHER])('$path has links that lead somewhere', (page) => {
    const broken = page.links.filter(isLocal).filter((link) => {
      const target = targetOf(page, link);
      if (!existsSync(join(root, target))) return true;
      const [, anchor] = link.split('#');
      return anchor !== undefined && !readPage(target).anchors.includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('is listed here', () => {
    // Node's own reader of whole trees would read what is installed below test as well.
    const pagesIn = (folder: string): string[] =>
      readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (!entry.isDirectory()) return /^docs\/.*\.md$|\/README\.md$/.test(path) ? path : [];
        return /^(?:node_modules$|\.)/.test(entry.name) ? [] : pagesIn(path);
      });
    const found = ['docs', 'examples', 'src', 'spec', 'pacts', 'test'].flatMap(pagesIn);
    const pagesAtTop = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];
    expect([...pagesAtTop, ...found].sort()).toEqual([...Object.keys(PAGES), 'docs/api.md'].sort());
  });

  test('in docs/ is found from the list of all jobs', () => {
    const listed = pageAt('docs/README.md').links.map((link) => link.replace(/#.*/, ''));
    const inDocs = readdirSync(join(root, 'docs')).filter((name) => /(?<!README)\.md$/.test(name));
    expect(inDocs.filter((name) => !listed.includes(name))).toEqual([]);
  });
});

describe('flags', () => {
  test('every command has a page', async () => {
    const { stdout } = await plantStore(['--help']);
    const commands = [...stdout.slice(stdout.indexOf('\nCommands:')).matchAll(/^ {2}([a-z]+)/gm)];
    const names = commands.map(([, name]) => name);
    expect(names.sort()).toEqual(Object.keys(PAGES_OF).sort());
  });

  test.for(Object.entries(PAGES_OF))('each one of %s is listed in %s', async ([command, paths]) => {
    const flags = await flagsOf(command);
    expect(flags).toContain('--help');
    const listed = [paths]
      .flat()
      .flatMap((path) => pageAt(path).codeSpans)
      .join('\n');
    expect(
      flags.filter((flag) => flag !== '--help' && !new RegExp(`${flag}(?![\\w-])`).test(listed)),
    ).toEqual([]);
  });

  test.for(pages)('$path names no flag that does not exist', async ({ codeSpans, blocks }) => {
    const perCommand = await Promise.all(Object.keys(PAGES_OF).map(flagsOf));
    const { stdout } = await plantStore(['--help']);
    const ofProgram = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag);
    const known = new Set([...perCommand.flat(), ...ofProgram, ...FOREIGN_FLAGS]);
    const commandLines = blocks.flatMap(({ code }) =>
      code.split('\n').filter((line) => /\bplant-store-contract [a-z]/.test(line)),
    );
    const spans = codeSpans.filter((span) => /^--|plant-store-contract [a-z]/.test(span));
    const named = [...spans, ...commandLines].flatMap((text) =>
      [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag),
    );
    // Each flag has its opposite.
    const isKnown = (flag: string): boolean => known.has(flag) || known.has(flag.replace('--no-', '--'));
    expect(named.filter((flag) => !isKnown(flag))).toEqual([]);
  });
});
