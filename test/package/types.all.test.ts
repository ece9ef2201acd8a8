import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { installed, linkPackages, packageFolder } from '../once.js';
import { emptyProject, type Project, root } from './project.js';

/** The supported versions of TypeScript, and the names under which they are installed. */
const TYPESCRIPTS = { '5.9': 'typescript-5', 7: 'typescript' } as const;

/** How a compiler finds modules, and the modules that go with that. */
const RESOLUTIONS = { nodenext: 'nodenext', bundler: 'esnext' } as const;

type TypeScript = keyof typeof TYPESCRIPTS;
type Resolution = keyof typeof RESOLUTIONS;

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const subpaths = Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith('.yaml'));

/** Compiles all files of a project, and every declaration that they load. */
async function problemsIn(project: Project, typescript: TypeScript, resolution: Resolution) {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    target: 'es2023',
    module: RESOLUTIONS[resolution],
    moduleResolution: resolution,
    lib: ['es2023', 'esnext.disposable'],
    types: ['node'],
    resolveJsonModule: true,
  };
  writeFileSync(
    join(project.folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.mts'] }),
  );
  const compiler = join(await packageFolder(TYPESCRIPTS[typescript]), 'bin/tsc');
  const version = await project.run(process.execPath, [compiler, '--version']);
  expect(version.stdout).toContain(`Version ${typescript}`);
  const { stdout } = await project.run(process.execPath, [compiler, '--pretty', 'false']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('the declarations of every subpath', () => {
  let project: Project;

  beforeAll(async () => {
    project = await emptyProject();
    await linkPackages(project.folder, '@types/node', '@pact-foundation/pact', 'vitest');
    const imports = subpaths.map((subpath, i) => {
      const kind = subpath.endsWith('.json') ? " with { type: 'json' }" : '';
      return `import * as m${i} from 'plant-store-contract${subpath.slice(1)}'${kind};`;
    });
    // A module that is not found, or that has no types, would be `any`.
    const isAny = 'type IsAny<T> = 0 extends 1 & T ? true : false;';
    const checks = subpaths.map((_, i) => `export const a${i}: IsAny<typeof m${i}> = false;`);
    writeFileSync(join(project.folder, 'right.mts'), [...imports, isAny, ...checks].join('\n'));
    writeFileSync(join(project.folder, 'undefined.mts'), UNDEFINED);
    writeFileSync(join(project.folder, 'wrong.mts'), WRONG.map(([line]) => line).join('\n'));
  });

  /** What a user gives, besides everything that is called options. */
  const GIVEN = new Set(
    `ExpectedFailure HouseRow HouseRule RequestRow Row ProviderTarget StartTarget FailureMatch Failure SetFailure
    RejectionResponse Overrides PlainRequest PlainResponse MatcherContext`.split(/\s+/),
  );

  /** An error for each optional member that rejects `undefined`: a user who has no value for it would have to leave it out. */
  const UNDEFINED = [
    'type Rejecting<T> = T extends unknown ? { [K in keyof T]-?: {} extends Pick<T, K>',
    '  ? { [P in K]: undefined } extends Pick<T, K> ? never : K : never }[keyof T] : never;',
    'type None<T extends never> = T;',
    "const options: import('plant-store-contract/server').ListenOptions = { port: undefined };",
    'export { options };',
    ...Object.entries<{ types?: string }>(manifest.exports).flatMap(([subpath, { types }]) => {
      if (types === undefined) return [];
      const text = readFileSync(join(root, types), 'utf8');
      const exported = text.match(/^export (?:(?:type )?\{[^}]*\}|(?:interface|type) \w+)/gm) ?? [];
      const names = exported.join().match(/\b[A-Z]\w+\b/g) ?? [];
      const given = [...new Set(names)].filter((name) => /Options$/.test(name) || GIVEN.has(name));
      const module = `plant-store-contract${subpath.slice(1)}`;
      return given.map(
        (name) =>
          `export type ${name}_${subpath.replace(/\W/g, '')} = None<Rejecting<import('${module}').${name}>>;`,
      );
    }),
  ].join('\n');

  const WRONG = [
    ["import { validatePlant } from 'plant-store-contract/validation';", undefined],
    ["import { startPlantStore } from 'plant-store-contract/server';", undefined],
    ["import type { Plant } from 'plant-store-contract/spec';", undefined],
    ["import { nothing } from 'plant-store-contract/client';", 'TS2305'],
    ["import * as inside from 'plant-store-contract/server/index.js';", 'TS2307'],
    ['validatePlant(1, 2, 3);', 'TS2554'],
    ["startPlantStore({ tokn: 'secret' });", 'TS2561'],
    ['export const never = startPlantStore().then(({ next }) => next({}));', 'TS2345'],
    ['export const well = startPlantStore().then(({ always }) => always({ status: "200" }));', 'TS2322'],
    ["export const plant: Plant = { name: 'Aloe', id: 7 };", 'TS2353'],
    ['export const both = [nothing, inside];', undefined],
  ] as const;

  test.each([
    ['5.9', 'nodenext'],
    [7, 'nodenext'],
    [7, 'bundler'],
  ] as const)('are found and right in TypeScript %s under %s', async (typescript, resolution) => {
    const problems = await problemsIn(project, typescript, resolution);
    const found = problems.map((line) =>
      line.replace(/^(\w+\.mts)\((\d+),\d+\): error (TS\d+):.*$/, '$1 $2 $3'),
    );
    expect(found).toEqual(
      WRONG.flatMap(([, code], at) => (code === undefined ? [] : [`wrong.mts ${at + 1} ${code}`])),
    );
  });
});

describe.each([
  ['16', '@pact-foundation/pact'],
  ['17', 'pact-17'],
])('the declarations of ./pact, with Pact %s alone', (_version, name) => {
  let project: Project;

  beforeAll(async () => {
    project = await emptyProject();
    // Only declarations, and no links: through a link, TypeScript would find all that is installed here.
    const copy = (from: string, to: string): void =>
      cpSync(from, join(project.folder, 'node_modules', to), {
        recursive: true,
        dereference: true,
        filter: (path) => !/\.[^/]*$/.test(basename(path)) || /(\.d\.[cm]?ts|package\.json)$/.test(path),
      });
    const modules = name === 'pact-17' ? await installed('tools') : join(root, 'node_modules');
    copy(join(modules, name), '@pact-foundation/pact');
    for (const one of ['@pact-foundation/pact-core', 'graphql'])
      if (existsSync(join(modules, one))) copy(join(modules, one), one);
    for (const one of ['@types/node', 'undici-types']) copy(join(root, 'node_modules', one), one);
    const uses = (method: string) =>
      ["import { plantStorePact } from 'plant-store-contract/pact';"]
        .concat("import 'plant-store-contract/pact/global-setup';")
        .concat(`plantStorePact({ consumer: 'a' }).interaction((pact) => pact.${method}('a')`)
        .concat(".withRequest('GET', '/').willRespondWith(200), async ({ url }) => url);")
        .join('\n');
    writeFileSync(join(project.folder, 'right.mts'), uses('uponReceiving'));
    writeFileSync(join(project.folder, 'wrong.mts'), uses('uponRecieving'));
  });

  // The other version of TypeScript reads the same declarations above, and takes five times as long.
  test('need no types of Express', async () => {
    expect(await problemsIn(project, 7, 'nodenext')).toEqual([
      expect.stringMatching(/^wrong\.mts\(3,.*: error TS2551: Property 'uponRecieving' does not exist/),
    ]);
  });
});
