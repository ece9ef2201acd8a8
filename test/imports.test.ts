import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { circlesIn, files, type Import, importsOf, literalsOf } from './source.js';

/** Each folder of src/, and the folders that it may import from. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '.': [],
  spec: [],
  http: ['.'],
  validation: ['spec', 'http', '.'],
  report: ['spec', 'http', 'validation', '.'],
  output: ['report', '.'],
  reporters: ['report', 'output'],
  server: ['spec', 'http', 'validation', 'report', 'output', '.'],
  control: ['spec', 'http', 'validation', 'server', '.'],
  client: ['spec', 'http', 'validation', 'output', '.'],
  conformance: ['spec', 'http', 'validation', 'report', 'output', 'reporters', '.'],
  proxy: ['spec', 'http', 'validation', 'report', 'output', '.'],
  page: ['spec', 'http', 'validation', 'report', 'output', 'server', 'control', 'proxy', '.'],
  messages: ['spec', 'http', 'validation', 'report', 'output', '.'],
  pact: ['spec', 'http', 'validation', 'report', 'output', '.'],
  arbitraries: ['spec', 'validation'],
  matchers: ['validation', 'http', 'output'],
  vitest: ['server', 'matchers'],
  cli: [
    'spec',
    'http',
    'validation',
    'server',
    'control',
    'conformance',
    'report',
    'output',
    'reporters',
    'proxy',
    'page',
    'messages',
    'pact',
    '.',
  ],
  packaging: ['cli', 'pact', '.'],
};

/** The files that may import a package, by package. */
const GATES: Readonly<Record<string, RegExp>> = {
  '@stoplight/prism-http': /^validation\/prism-validators\.ts$/,
  'openapi-types': /^spec\/index\.ts$/,
  commander: /^cli\//,
  'fast-check': /^(conformance\/(exploring|families|topics)|arbitraries)\//,
  picocolors: /^output\/color\.ts$/,
  '@pact-foundation/pact': /^pact\/(load-pact|consumer\/.*)\.ts$/,
  vitest: /^vitest\//,
  xmlbuilder: /^reporters\/junit\.ts$/,
};

/**
 * Files that name the path of the operation in code: probes ask for it and for paths beside it, and the
 * control interface has a path of that name, which its page asks for.
 */
const MAY_NAME_THE_PATH =
  /^(spec\/operation\.ts|control\/(store-routes|control-client)\.ts|page\/browser\/stored-plants\.ts|conformance\/topics\/.*|.*\.generated\.ts)$/;

const imports = files.flatMap(importsOf);
const within = imports.filter(({ isPackage }) => !isPackage);

const shown = ({ from, to }: Import): string => `${from} → ${to}`;

function folderOf(file: string): string {
  const [folder = '.', ...rest] = file.split('/');
  return rest.length === 0 ? '.' : folder;
}

describe('imports', () => {
  test('go one way between folders', () => {
    const wrong = within.filter(({ from, to }) => {
      const [here, there] = [folderOf(from), folderOf(to)];
      return here !== there && ALLOWED[here]?.includes(there) !== true;
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test('reach a package only where it may be used', () => {
    const wrong = imports.filter(({ from, to, isPackage }) => {
      if (!isPackage || to.startsWith('node:')) return false;
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to;
      return GATES[name]?.test(from) !== true;
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test('of values are never circular', () => {
    expect(circlesIn(imports)).toEqual([]);
  });

  test('of the check are never circular, those of types neither', () => {
    const ofCheck = within.filter(({ from, to }) =>
      [from, to].every((file) => file.startsWith('conformance/')),
    );
    expect(circlesIn(ofCheck.map((one) => ({ ...one, kind: 'value' })))).toEqual([]);
  });

  test('lead to files that exist', () => {
    expect(within.filter(({ to }) => !files.includes(to))).toEqual([]);
  });

  test('are found, in workers and by URL too', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(folderOf('toolkit-error.js')).toBe('.');
    const workers = files.filter((file) => file.endsWith('.js'));
    expect(workers.length).toBeGreaterThan(0);
    expect(imports.map(({ from }) => from)).toEqual(expect.arrayContaining(workers));
    expect(within.filter(({ kind }) => kind === 'lazy').map(({ to }) => to)).toEqual(
      expect.arrayContaining(workers),
    );
  });

  test('a circle is found, whatever leads into it', () => {
    const value = (from: string, to: string): Import => ({ from, to, isPackage: false, kind: 'value' });
    const circle = [value('c.ts', 'a.ts'), value('b.ts', 'c.ts'), value('a.ts', 'b.ts')];
    expect(circlesIn([value('main.ts', 'b.ts'), ...circle])).toEqual([['a.ts', 'b.ts', 'c.ts', 'a.ts']]);
    expect(circlesIn(circle.map((one, i) => (i === 0 ? { ...one, kind: 'type' } : one)))).toEqual([]);
  });
});

describe('one place for each thing', () => {
  // A sentence may say `POST /plants`. A URL, a path or a pattern comes from src/spec/operation.ts.
  test('only src/spec/operation.ts names the path of the operation in code', () => {
    const named = files
      .filter((file) => !MAY_NAME_THE_PATH.test(file))
      .flatMap(literalsOf)
      .filter(({ kind, text, follows }) => {
        if (!/\\?\/plants\b/.test(text)) return false;
        return kind === 'regex' || !/\s/.test(text.trim()) || (follows && /^\\?\/plants\b/.test(text));
      });
    expect(named.map(({ file, line, text }) => `src/${file}:${line} ${text}`)).toEqual([]);
  });

  test('the path is found in src/spec/operation.ts', () => {
    expect(literalsOf('spec/operation.ts').map(({ text }) => text)).toContain('/plants');
  });
});

describe('files', () => {
  test('have 500 lines at most', () => {
    const long = files
      .filter((file) => !file.endsWith('.generated.ts'))
      .map((file) => ({ file, lines: linesOf(file) }))
      .filter(({ lines }) => lines > 500);
    expect(long).toEqual([]);
  });

  test('say in their names what is in them', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc)\.(ts|js)$/.test(file))).toEqual([]);
  });
});

function linesOf(file: string): number {
  return readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8').split('\n').length - 1;
}
