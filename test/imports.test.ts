import { describe, expect, test } from 'vitest';
import { circlesIn, codeOf, files, type Import, importsOf } from './source.js';

/** Each room of src/, and the rooms that it may import from. A folder without a row belongs to the room around it. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '.': [],
  spec: ['.'],
  http: ['.'],
  validation: ['spec', 'http', '.'],
  report: ['spec', 'http', 'validation', '.'],
  server: ['spec', 'http', 'validation', 'report', '.'],
  'server/control': ['http', 'validation', 'server', '.'],
  conformance: ['spec', 'http', 'validation', 'report', '.'],
  proxy: ['spec', 'http', 'validation', 'report', '.'],
  pact: ['spec', 'http', 'validation', 'report', '.'],
  'testing/client': ['spec', 'http', 'validation', 'report', '.'],
  'testing/matchers': ['http', 'validation', 'report'],
  'testing/vitest': ['server', 'testing/matchers'],
  cli: [
    'spec',
    'http',
    'validation',
    'report',
    'server',
    'server/control',
    'conformance',
    'proxy',
    'pact',
    '.',
  ],
};

/** The files that may import a package, by package. */
const GATES: Readonly<Record<string, RegExp>> = {
  '@stoplight/prism-http': /^validation\/prism-validators\.ts$/,
  'openapi-types': /^spec\/index\.ts$/,
  commander: /^cli\//,
  'fast-check': /^conformance\/(exploring|topics)\//,
  '@pact-foundation/pact': /^pact\/(installed-pact|consumer\/.*)\.ts$/,
  vitest: /^testing\/vitest\//,
};

/**
 * Files that name the path of the operation in code: probes ask for it and for paths beside it, the control interface has a
 * path of that name, and `init` writes a test.
 */
const MAY_NAME_THE_PATH =
  /^(spec\/operation\.ts|server\/control\/control\.ts|cli\/init\.ts|conformance\/topics\/.*|.*\.generated\.ts)$/;

const imports = files.flatMap(importsOf);
const within = imports.filter(({ isPackage }) => !isPackage);

const shown = ({ from, to }: Import): string => `${from} → ${to}`;

const rooms = Object.keys(ALLOWED).sort((a, b) => b.length - a.length);

/** The innermost room that has a file. */
function roomOf(file: string): string {
  return rooms.find((room) => file.startsWith(`${room}/`)) ?? '.';
}

describe('imports', () => {
  test('go one way between rooms', () => {
    const wrong = within.filter(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)];
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

  test.each(['conformance', 'pact', 'server'])('of %s are never circular, those of types neither', (room) => {
    const inside = within.filter(({ from, to }) => [from, to].every((file) => file.startsWith(`${room}/`)));
    expect(circlesIn(inside.map((one) => ({ ...one, kind: 'value' })))).toEqual([]);
  });

  test('lead to files that exist', () => {
    expect(within.filter(({ to }) => !files.includes(to))).toEqual([]);
  });

  test('are found', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(roomOf('toolkit-error.js')).toBe('.');
  });

  test('a circle is found, whatever leads into it', () => {
    const value = (from: string, to: string): Import => ({ from, to, isPackage: false, kind: 'value' });
    const circle = [value('c.ts', 'a.ts'), value('b.ts', 'c.ts'), value('a.ts', 'b.ts')];
    expect(circlesIn([value('main.ts', 'b.ts'), ...circle])).toEqual([['a.ts', 'b.ts', 'c.ts', 'a.ts']]);
    expect(circlesIn(circle.map((one, i) => (i === 0 ? { ...one, kind: 'type' } : one)))).toEqual([]);
  });
});

// A sentence may say `POST /plants`. A URL, a path or a pattern comes from src/spec/operation.ts.
test('only src/spec/operation.ts names the path of the operation in code', () => {
  const namesIt = (file: string): boolean => /['"`}]\\?\/plants\b|\\\/plants\b/.test(codeOf(file));
  expect(namesIt('spec/operation.ts')).toBe(true);
  expect(files.filter((file) => !MAY_NAME_THE_PATH.test(file) && namesIt(file))).toEqual([]);
});

describe('files', () => {
  test('say in their names what is in them', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc)\.(ts|js)$/.test(file))).toEqual([]);
  });
});
