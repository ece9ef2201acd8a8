import { _, Ajv, type KeywordCxt as Context, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { transformSync } from 'esbuild';
import type { OpenAPIV3 } from 'openapi-types';
import { readDocument } from './document.js';

type Schema = Record<string, unknown>;

/**
 * In Ajv, `type: integer` rejects every bigint; in ajv-formats, `format: int64` accepts 2^63. One exact keyword replaces
 * both. It is written as code, so the generated module imports nothing.
 */
export function withExactIntegers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withExactIntegers);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, format, ...rest } = schema as Schema;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, withExactIntegers(value)]),
  );
  if (type === 'integer' && (format === 'int64' || format === 'int32')) return { ...inner, [format]: true };
  return { ...(type !== undefined && { type }), ...(format !== undefined && { format }), ...inner };
}

/** A number is accepted if it is an integer within the bounds. The double 2^63 is beyond int64. */
function exactInteger(keyword: 'int32' | 'int64', bits: bigint) {
  const end = 2n ** (bits - 1n);
  return {
    keyword,
    schemaType: 'boolean' as const,
    code(context: Context) {
      const { data } = context;
      const [low, end64] = [_`${Number(-end)}`, _`${Number(end)}`];
      context.pass(
        _`typeof ${data} === "bigint" ? ${data} >= ${low} && ${data} < ${end64} : Number.isInteger(${data}) && ${data} >= ${low} && ${data} < ${end64}`,
      );
    },
  };
}

/** Adds the keywords that {@link withExactIntegers} writes. */
export function addExactIntegers(ajv: Ajv): void {
  ajv.addKeyword(exactInteger('int32', 32n));
  ajv.addKeyword(exactInteger('int64', 64n));
}

function propertyNames(document: OpenAPIV3.Document, name: string): string[] {
  const resolve = (schema: OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject): string[] => {
    if ('$ref' in schema) return propertyNames(document, schema.$ref.replace('#/components/schemas/', ''));
    return [...(schema.allOf ?? []).flatMap(resolve), ...Object.keys(schema.properties ?? {})];
  };
  const schema = document.components?.schemas?.[name];
  if (schema === undefined) throw new Error(`the document has no schema ${name}`);
  return resolve(schema);
}

/** `src/validation/schema.generated.ts`: Ajv's validators, compiled ahead of time. */
export function validatorsModule(document = readDocument()): string {
  const ajv = new Ajv({ allErrors: true, messages: false, code: { source: true, esm: true } });
  addFormats.default(ajv);
  addExactIntegers(ajv);
  ajv.addVocabulary(['components']);
  const schemas = withExactIntegers(document.components?.schemas) as Schema;
  ajv.addSchema({ $id: 'plant-store', components: { schemas } });
  for (const name of Object.keys(schemas)) {
    ajv.addSchema({ $id: name, $ref: `plant-store#/components/schemas/${name}` });
  }
  const code = standaloneCode.default(ajv, {
    isNewPlant: 'NewPlant',
    isPlant: 'Plant',
    isError: 'Error',
  });
  return [
    '// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.',
    '// @ts-nocheck: written by Ajv, typed where it is imported.',
    withoutUnused(code),
    `export const newPlantFields = ${JSON.stringify(propertyNames(document, 'NewPlant'))};`,
    `export const plantFields = ${JSON.stringify(propertyNames(document, 'Plant'))};`,
    '',
  ].join('\n');
}

/** Ajv also writes down each schema, whether a validator reads it or not. */
function withoutUnused(code: string): string {
  return transformSync(code, { format: 'esm', treeShaking: true, minifyWhitespace: true }).code.trimEnd();
}

/**
 * Ajv's validators of the files of a command, compiled ahead of time. They import nothing.
 *
 * @param options of Ajv
 */
export function fileValidatorsModule(
  source: string,
  schemas: Readonly<Record<string, object>>,
  options: Options = {},
): string {
  // To count UTF-16 units needs no code from outside.
  const inOneFile: Options = { code: { source: true, esm: true }, unicode: false, logger: false };
  const ajv = new Ajv2020({ strictTypes: false, ...inOneFile, ...options });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]));
  return [
    `// Generated from ${source} by \`npm run generate\`. Do not edit.`,
    '// @ts-nocheck: written by Ajv, typed where it is imported.',
    withoutUnused(standaloneCode.default(ajv, names)),
    '',
  ].join('\n');
}
