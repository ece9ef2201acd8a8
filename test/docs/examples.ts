import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

/** The code of one `@example`. */
export interface Example {
  /** `src/server/listen.ts:31`. */
  readonly place: string;
  readonly code: string;
}

/** Every `@example` of the sources: the lines after it, up to the next tag or the end of the docstring. */
export function docstringExamples(): Example[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).flatMap((file) => examplesIn(join('src', file)));
}

function examplesIn(file: string): Example[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^( *\*) @example\n((?:\1.*\n)*?)(?= *\*\/| *\* @)/gm)].map((match) => ({
    place: `${file}:${lineOf(text, match.index)}`,
    code: (match[2] ?? '').replaceAll(/^ *\* ?/gm, ''),
  }));
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Examples that check a provider: each takes a second or more. */
export const takesLong = ({ code }: Example): boolean =>
  /\b(checkConformance|assertConformance)\(/.test(code);

/** Runs examples. They are modules of their own, so they are written out; here their imports resolve as in any test. */
export function testExamples(examples: readonly Example[]): void {
  const written = join(import.meta.dirname, '.written');
  mkdirSync(written, { recursive: true });
  const folder = mkdtempSync(join(written, 'examples-'));
  // Consumer tests in a worker of Vitest need its set-up, which a plain process does not.
  vi.stubEnv('VITEST_POOL_ID', undefined);
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  test('there are examples to run', () => {
    expect(examples.length).toBeGreaterThan(4);
  });

  test.for(examples.map((example, index) => ({ ...example, index })))(
    '$place runs',
    async ({ code, index }) => {
      const file = join(folder, `example-${index}.ts`);
      writeFileSync(file, code);
      await import(/* @vite-ignore */ file);
    },
  );
}
