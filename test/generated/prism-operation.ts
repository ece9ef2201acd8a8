import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { readDocument } from './document.js';

/**
 * `src/validation/prism-operation.generated.ts`: the operation as Prism's own parser reads it. Parsing it anew
 * would load more of Prism than its validators do, and take as long again.
 */
export async function prismOperationModule(document = readDocument()): Promise<string> {
  // Prism dereferences the object that it is given in place.
  const [operation] = await getHttpOperationsFromSpec(structuredClone(document));
  return [
    '// Generated from spec/openapi.yaml by `npm run generate`, with the parser of Prism. Do not edit.',
    `export const operation = ${JSON.stringify(operation, null, 2)};`,
    '',
  ].join('\n');
}
