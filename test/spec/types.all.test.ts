import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NewPlant, Plant, PlantStoreError } from 'plant-store-contract/spec';
import type * as validation from 'plant-store-contract/validation';
import { describe, expect, expectTypeOf, test } from 'vitest';

// These expectations do nothing at run time: `tsc --project test/tsconfig.json` checks them.
describe('the types that are derived from the document', () => {
  test('Plant has a name and may have a tag', () => {
    expectTypeOf<Plant>().toEqualTypeOf<{ name: string; tag?: string }>();
  });

  test('NewPlant also has an id, which may be a bigint', () => {
    expectTypeOf<NewPlant>().toEqualTypeOf<{ name: string; tag?: string; id: number | bigint }>();
    expectTypeOf<NewPlant>().toExtend<Plant>();
    expectTypeOf<Plant>().not.toExtend<NewPlant>();
  });

  test('PlantStoreError has a number and a message', () => {
    expectTypeOf<PlantStoreError>().toEqualTypeOf<{ error: number; message: string }>();
  });

  test('objects are assignable to the right types only', () => {
    const plant: NewPlant = { name: 'Aloe', id: 2n ** 63n - 1n };
    plant.tag = 'succulent';
    // @ts-expect-error: a missing tag is omitted
    plant.tag = undefined;
    // @ts-expect-error: an id is no text
    plant.id = '7';
    // @ts-expect-error: name is required
    const nameless: Plant = { tag: 'succulent' };
    // @ts-expect-error: a Plant has no id
    const leaked: Plant = { name: 'Aloe', id: 7 };
    // @ts-expect-error: int32 fits a number
    const error: PlantStoreError = { error: 3n, message: '' };
    expect([nameless, leaked, error]).toHaveLength(3);
  });
});

describe('the types of the validators', () => {
  test('plain data is judged at once, a fetch message through a promise', () => {
    expectTypeOf<ReturnType<typeof validation.validateNewPlant>>().toEqualTypeOf<validation.Violation[]>();
    type Judge = typeof validation.validateRequest;
    expectTypeOf<Judge>().toBeCallableWith({ headers: {} });
    expectTypeOf<Judge>().toBeCallableWith(new Request('http://localhost'));
    const judge: Judge = () => [] as never;
    expectTypeOf(judge({ headers: {} })).toEqualTypeOf<validation.Violation[]>();
    expectTypeOf(judge({ headers: new Headers() })).toEqualTypeOf<validation.Violation[]>();
    expectTypeOf(judge(new Request('http://localhost'))).toEqualTypeOf<Promise<validation.Violation[]>>();
  });
});

// A wrong expectTypeOf passes unless tsc checks this file.
test('tsc looks at this file', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = execFileSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '--project', 'test/tsconfig.json', '--listFilesOnly'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(files.split(/\r?\n/).some((file) => file.endsWith('test/spec/types.all.test.ts'))).toBe(true);
});
