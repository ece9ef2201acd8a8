import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { built, packageFolder } from '../once.js';
import { root } from './project.js';

/** The part of the compiler's own API that is used here. TypeScript 7 has none yet. */
interface Declaration {
  readonly name?: unknown;
  readonly kind: number;
  getSourceFile(): { readonly fileName: string };
}
interface TypeSymbol {
  readonly name: string;
  readonly flags: number;
  readonly declarations?: readonly Declaration[];
}

/** Types that compute others. An editor shows the result, and nobody has to name them. */
const COMPUTING = new Set(
  `SchemaType Schemas Flat AllOf ObjectType RequiredKeys IntegerType DeepReadonly WithEffect Effect Members Filled Digit WordsIn
  OptionsOf FilledOptionsOf Setting Check`.split(/\s+/),
);

test('every type that a public signature names is exported', async () => {
  const dist = await built();
  const { default: ts } = await import(join(await packageFolder('typescript-5'), 'lib/typescript.js'));
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.values<{ types?: string }>(exports).flatMap(({ types }) =>
    types === undefined ? [] : [join(root, types)],
  );
  const options = { module: ts.ModuleKind.NodeNext, skipLibCheck: true, types: ['node'] };
  const program = ts.createProgram(entries, options);
  const checker = program.getTypeChecker();
  const original = (symbol: TypeSymbol): TypeSymbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const exported = new Set<TypeSymbol>(
    entries.flatMap((file) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(file));
      return module === undefined ? [] : checker.getExportsOfModule(module).map(original);
    }),
  );
  const isOurType = ({ flags, declarations = [] }: TypeSymbol): boolean =>
    (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.TypeAlias)) !== 0 &&
    declarations.every((one) => one.getSourceFile().fileName.startsWith(`${dist}/`));
  const missing = new Map<string, string>();
  const seen = new Set(exported);
  // A set that grows while it is read: the types of a type are read as well.
  for (const symbol of seen)
    for (const declaration of symbol.declarations ?? []) {
      if (!declaration.getSourceFile().fileName.startsWith(`${dist}/`)) continue;
      const read = (node: Declaration): void => {
        const found = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
        if (found) {
          const named = original(found);
          if (isOurType(named)) {
            seen.add(named);
            if (!exported.has(named) && !COMPUTING.has(named.name) && !missing.has(named.name))
              missing.set(named.name, symbol.name);
          }
        }
        ts.forEachChild(node, read);
      };
      read(declaration);
    }
  expect(exported.size).toBeGreaterThan(100);
  expect(Array.from(missing, ([name, by]) => `${name}, named by ${by}`)).toEqual([]);
});
