import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from '@babel/parser';

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

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Every module of `src/`, workers in JavaScript included. */
export const files: readonly string[] = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(ts|js)$/.test(file),
);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesBelow(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesBelow(child);
}

export const read = (file: string): string => readFileSync(join(source, file), 'utf8');

function nodesOf(file: string): Node[] {
  const { program } = parse(read(file), {
    sourceType: 'module',
    plugins: ['typescript', 'estree'],
    createImportExpressions: true,
    attachComment: false,
  });
  return [...nodesBelow(program as unknown as Node)];
}

/** Every import of a file. */
export function importsOf(file: string): Import[] {
  return nodesOf(file).flatMap((node) => {
    const [specifier, kind] = specifierOf(node) ?? [];
    if (specifier === undefined || kind === undefined) return [];
    if (!specifier.startsWith('.')) return { from: file, to: specifier, isPackage: true, kind };
    return { from: file, to: fileOf(join(dirname(file), specifier)), isPackage: false, kind };
  });
}

function specifierOf(node: Node): [string, Import['kind']] | undefined {
  const text = (value: unknown): string | undefined =>
    isNode(value) && typeof value.value === 'string' ? value.value : undefined;
  const from = text(node.source);
  const ofType = text(node.argument);
  if (node.type === 'TSImportType' && ofType !== undefined) return [ofType, 'type'];
  if (node.type === 'ImportExpression' && from !== undefined) return [from, 'lazy'];
  if (from !== undefined) return [from, (node.importKind ?? node.exportKind) === 'type' ? 'type' : 'value'];
  const isUrl = node.type === 'NewExpression' && isNode(node.callee) && node.callee.name === 'URL';
  const [url, base] = isUrl && Array.isArray(node.arguments) ? node.arguments : [];
  const relativeUrl = text(url);
  if (relativeUrl !== undefined && /^\.{1,2}\/.*\.js$/.test(relativeUrl) && base !== undefined)
    return [relativeUrl, 'lazy'];
  return undefined;
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
