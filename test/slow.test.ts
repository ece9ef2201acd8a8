import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slowFiles } from './slow.js';

test('every slow file exists', () => {
  expect(Object.keys(slowFiles).filter((file) => !existsSync(join(import.meta.dirname, file)))).toEqual([]);
});
