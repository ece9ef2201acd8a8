import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docstringExamples } from './examples.js';

// Examples are modules of their own, so they are written out; here their imports resolve as in any test.
const folder = join(import.meta.dirname, '.written/examples');
const examples = docstringExamples();

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('every example runs', () => {
  test.for(examples.map((example, index) => ({ ...example, index })))('$place', async ({ code, index }) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, code);
    await import(/* @vite-ignore */ file);
  });

  test('and there are examples to run', () => {
    expect(examples.length).toBeGreaterThan(12);
  });
});
