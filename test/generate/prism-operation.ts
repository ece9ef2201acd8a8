import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { operation, operationTitle } from '../../src/spec/operation.js';
import { compact, readDocument } from './document.js';

/**
 * `src/validation/prism-operation.generated.ts`: the operation, parsed by Prism. Parsing it at run time would load more of
 * Prism than validating does, and double the time.
 */
export async function prismOperationModule(document = readDocument()): Promise<string> {
  // Prism changes the object that it is given.
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const ours = operations.find(
    ({ method, path }) => method.toUpperCase() === operation.method && path === operation.path,
  );
  if (ours === undefined) throw new Error(`the document has no operation ${operationTitle}`);
  return [
    '// Generated from spec/openapi.yaml by `npm run generate`, with the parser of Prism. Do not edit.',
    `export const operation = ${compact(ours)};`,
    '',
  ].join('\n');
}
