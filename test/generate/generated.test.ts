import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/cli/config/schema.js';
import type { CommandIo } from '../../src/cli/io.js';
import { createProgram } from '../../src/cli/program.js';
import { documentModule } from './document.js';
import { prismOperationModule } from './prism-operation.js';
import { rulesPage } from './rules-table.js';
import { validatorsModule } from './validators.js';

/** Nothing is run. */
const silent = { stdout: { write() {} }, stderr: { write() {} } } as unknown as CommandIo;

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

  test('spec/config.schema.json', async () => {
    const program = await createProgram(silent, () => {});
    const text = `${JSON.stringify(configSchema(program), null, 1)}\n`;
    await expect(text).toMatchFileSnapshot('../../spec/config.schema.json');
  });

  test('spec/rules.md', async () => {
    await expect(rulesPage()).toMatchFileSnapshot('../../spec/rules.md');
  });
});
