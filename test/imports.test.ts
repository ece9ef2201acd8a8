import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const source = new URL('../src', import.meta.url).pathname;

/** Each folder of src/, and the folders that it may import from. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '.': [],
  spec: [],
  validation: ['spec'],
  server: ['spec', 'validation', '.'],
  conformance: ['spec', 'validation', '.'],
  client: ['spec', 'validation', '.'],
  reporters: ['conformance'],
  proxy: ['validation', 'conformance', 'reporters', '.'],
  messages: ['spec', 'validation', 'conformance', 'reporters', '.'],
  pact: ['spec', 'validation', 'conformance', 'reporters', 'proxy', '.'],
  matchers: ['validation'],
  vitest: ['server', 'matchers'],
  cli: ['server', 'conformance', 'reporters', 'proxy', 'messages', 'pact', '.'],
};

/** The one file that may import a package, by package. */
const GATES: Readonly<Record<string, RegExp>> = {
  '@stoplight/prism-http': /^validation\/prism\.ts$/,
  'openapi-types': /^spec\/index\.ts$/,
  commander: /^cli\//,
  picocolors:
    /^(conformance\/reporting\/report-text|pact\/reporting\/.*|pact\/audit\/audit-text|proxy\/report-text|messages\/reporting\/messages-text|cli\/rules)\.ts$/,
  'cli-progress': /^cli\/progress\.ts$/,
  '@pact-foundation/pact': /^pact\/(load-pact|consumer\/.*)\.ts$/,
  '@pactflow/openapi-pact-comparator': /^pact\/audit\/comparator\.ts$/,
  vitest: /^vitest\//,
  xmlbuilder: /^reporters\/junit-document\.ts$/,
};

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  const specifiers = [
    ...text.matchAll(/(?:^(?:import|export)\b[^'"();]*?from\s+|^import\s+|\bimport\()'([^']+)'/gm),
  ];
  return (
    specifiers
      // Examples in docstrings import the package by its name.
      .filter(({ index }) => !/^ \*/.test(text.slice(text.lastIndexOf('\n', index) + 1)))
      .map(([, to = '']) => ({ from: file, to }))
  );
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const imports = files.flatMap(importsOf);

function folderOf(file: string): string {
  const [folder = '.', ...rest] = file.split('/');
  return rest.length === 0 ? '.' : folder;
}

describe('imports', () => {
  test('run one way between folders', () => {
    const wrong = imports
      .filter(({ to }) => to.startsWith('.'))
      .map(({ from, to }) => ({ from, to: relative(source, join(source, dirname(from), to)) }))
      .filter(({ from, to }) => {
        const [here, there] = [folderOf(from), folderOf(to)];
        return here !== there && ALLOWED[here]?.includes(there) !== true;
      });
    expect(wrong).toEqual([]);
  });

  test('reach packages through their gates only', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (/^(\.|node:)/.test(to)) return false;
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to;
      return GATES[name]?.test(from) !== true;
    });
    expect(wrong).toEqual([]);
  });

  test('are found at all', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(folderOf('toolkit-error.js')).toBe('.');
  });
});
