import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recipes } from '../../../src/conformance/report/frameworks.js';
import { has, hasPython } from '../../tools.js';

/** The pieces of code of a framework, each once, with the first finding that it fixes. */
function codesOf(framework: string): [finding: string, code: string][] {
  const byCode = new Map<string, string>();
  for (const [finding, { code }] of recipes().get(framework) ?? [])
    if (!byCode.has(code)) byCode.set(code, finding);
  return [...byCode].map(([code, finding]) => [finding, code]);
}

/** What a reader of a recipe of Go has. */
const NEW_PLANT = 'type NewPlant struct {\n\tName string\n\tID   int64\n\tTag  *string\n}\n';

describe.runIf(has('go', 'version'))('a recipe of Go has its imports, and no others', () => {
  test.each(codesOf("Go's net/http"))('%s', (_, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'recipe-'));
    writeFileSync(join(folder, 'go.mod'), 'module recipe\n\ngo 1.21\n');
    writeFileSync(join(folder, 'recipe.go'), `package recipe\n\n${code}\n${NEW_PLANT}`);
    const { stdout, stderr } = spawnSync('go', ['vet', '.'], { cwd: folder, encoding: 'utf8' });
    expect(stdout + stderr).toBe('');
  });
});

/** Prints the names that a program uses and does not define. */
const UNDEFINED = `
import ast, builtins, sys
nodes = list(ast.walk(ast.parse(sys.stdin.read())))
names = [node for node in nodes if isinstance(node, ast.Name)]
known = set(dir(builtins)) | {node.id for node in names if not isinstance(node.ctx, ast.Load)}
known |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler))}
known |= {node.arg for node in nodes if isinstance(node, ast.arg)}
known |= {alias.asname or alias.name for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
print(*sorted({node.id for node in names} - known))
`;

describe.runIf(hasPython)('a recipe of Python has its imports', () => {
  const codes = (['Flask (Werkzeug)', 'Django', 'FastAPI'] as const).flatMap(codesOf);
  test.each(codes)('%s', (_, code) => {
    // A decorator stands before the function of the reader.
    const input = /^@.*$/m.test(code.split('\n').at(-1) ?? '') ? `${code}\ndef create(): pass` : code;
    const { stdout, stderr } = spawnSync('python3', ['-c', UNDEFINED], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    const ofTheReader = ['app', 'name', 'tag'];
    expect(stdout.split(/\s+/).filter((name) => name !== '' && !ofTheReader.includes(name))).toEqual([]);
  });
});
