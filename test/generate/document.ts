import { readFileSync } from 'node:fs';
import type { OpenAPIV3 } from 'openapi-types';
import { parse } from 'yaml';

const yamlUrl = new URL('../../spec/openapi.yaml', import.meta.url);

/** The document in `spec/openapi.yaml`. */
export function readDocument(): OpenAPIV3.Document {
  return parse(readFileSync(yamlUrl, 'utf8'));
}

/** `src/spec/document.generated.ts`: the document as a constant, with literal types to derive from. */
export function documentModule(document = readDocument()): string {
  return [
    '// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.',
    `export const document = ${compact(document)} as const;`,
    '',
  ].join('\n');
}

/** An object as code, with a line for each of its members. */
export function compact(value: object): string {
  const members = Object.entries(value).map(
    ([key, member]) => `  ${JSON.stringify(key)}: ${JSON.stringify(member)},\n`,
  );
  return `{\n${members.join('')}}`;
}
