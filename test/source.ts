import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const source = new URL('../src', import.meta.url).pathname;

/** One import of a file in `src/`. */
export interface Import {
  /** The file that imports, relative to `src/`. */
  readonly from: string;
  /** A file relative to `src/`, or a package as it is written: `node:fs`, `ajv/dist/standalone`. */
  readonly to: string;
  readonly isPackage: boolean;
  /** `value`: loaded before the file runs. `type`: no code. `lazy`: `import()` of a value, or the URL of a worker. */
  readonly kind: 'value' | 'type' | 'lazy';
}

/** Every module of `src/`, workers in JavaScript included. */
export const files: readonly string[] = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(ts|js)$/.test(file),
);

const read = (file: string): string => readFileSync(join(source, file), 'utf8');

/** The code of a file, without comments. */
export function codeOf(file: string): string {
  return read(file).replaceAll(/^ *\/\*.*?\*\/|^ *\/\/[^\n]*/gms, '');
}

/** Every import of a file. Biome writes them all in one way. */
export function importsOf(file: string): Import[] {
  // A template may have code of its own.
  const code = codeOf(file).replaceAll(/`(?:\\.|[^`\\])*`/gs, '``');
  const all = (pattern: RegExp, usual: Import['kind']): [to: string, Import['kind']][] =>
    [...code.matchAll(pattern)].map(({ groups }) => [groups?.to ?? '', groups?.type ? 'type' : usual]);
  const found = [
    ...all(/^(?:import|export)(?<type> type)?(?: [^;'"]*? from)? '(?<to>[^']+)'/gm, 'value'),
    ...all(/(?<type>typeof )?\bimport\('(?<to>[^']+)'\)/g, 'lazy'),
    ...all(/new URL\('(?<to>\.{1,2}\/[^']*\.js)', import\.meta\.url\)/g, 'lazy'),
  ];
  return found.map(([to, kind]) =>
    to.startsWith('.')
      ? { from: file, to: fileOf(join(dirname(file), to)), isPackage: false, kind }
      : { from: file, to, isPackage: true, kind },
  );
}

/** The source of a module that is imported as `.js`. */
function fileOf(path: string): string {
  const typescript = path.replace(/\.js$/, '.ts');
  return files.includes(typescript) ? typescript : relative(source, join(source, path));
}

/**
 * Circles of imports of values, one at least if there is any. Each begins and ends with its first file in alphabetical
 * order: `['a.ts', 'b.ts', 'a.ts']`.
 */
export function circlesIn(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to, kind, isPackage } of imports)
    if (kind === 'value' && !isPackage) next.set(from, [...(next.get(from) ?? []), to]);
  const circles = new Map<string, string[]>();
  const finished = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at !== -1) {
      const circle = path.slice(at);
      const first = circle.indexOf([...circle].sort()[0] as string);
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      circles.set(turned.join(), [...turned, turned[0] as string]);
      return;
    }
    if (finished.has(file)) return;
    for (const to of next.get(file) ?? []) walk(to, [...path, file]);
    finished.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return [...circles.values()];
}
