import { describe, expect, test } from 'vitest';
import { documentModule } from './document.js';
import { prismOperationModule } from './prism-operation.js';
import { rulesPage } from './rules-table.js';
import { validatorsModule } from './validators.js';

// `npm run generate` runs this file with `--update`, which writes what the tests compare.
describe('generated files are up to date', () => {
  test('src/spec/document.generated.ts', async () => {
    await expect(documentModule()).toMatchFileSnapshot('../../src/spec/document.generated.ts');
  });

  test('src/validation/schema.generated.ts', async () => {
    await expect(validatorsModule()).toMatchFileSnapshot('../../src/validation/schema.generated.ts');
  });

  test('src/validation/prism-operation.generated.ts', async () => {
    await expect(await prismOperationModule()).toMatchFileSnapshot(
      '../../src/validation/prism-operation.generated.ts',
    );
  });

  test('spec/rules.md', async () => {
    await expect(rulesPage()).toMatchFileSnapshot('../../spec/rules.md');
  });
});
