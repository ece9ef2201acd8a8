import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { OpenAPIV3 } from 'openapi-types';
import { readJson } from 'plant-store-contract/validation';
import { parse } from 'yaml';
import { addExactIntegers, withExactIntegers } from '../../generate/validators.js';

/** `spec/control.yaml`. */
export const controlDocument: OpenAPIV3.Document = parse(
  readFileSync(new URL('../../../spec/control.yaml', import.meta.url), 'utf8'),
);

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, strictTypes: false });
addFormats.default(ajv);
addExactIntegers(ajv);
ajv.addVocabulary(['components']);
ajv.addSchema({ $id: 'control', components: withExactIntegers(controlDocument.components) as object });

/** What a response is, and what is wrong with it by the document; ids keep every digit. */
export interface Judged {
  readonly status: number;
  readonly value: unknown;
  readonly problems: readonly string[];
}

/** Judges a response of the control interface. */
export async function judge(method: string, path: string, response: Response): Promise<Judged> {
  const { status } = response;
  const body = Buffer.from(await response.arrayBuffer());
  const operation = documented(method, path);
  const described = resolve(operation?.responses[status] ?? operation?.responses.default);
  // What has no operation is a 404 or a 405.
  const content = operation === undefined ? problemContent() : described?.content;
  if (content === undefined)
    return { status, value: undefined, problems: body.length === 0 ? [] : ['a body'] };
  const media = response.headers.get('content-type') ?? '';
  const schema = content[media]?.schema;
  const read = readJson(body);
  if (schema === undefined || !read.ok)
    return { status, value: undefined, problems: [`${status} ${media}: ${body}`] };
  return { status, value: read.value, problems: problemsIn(schema, read.value) };
}

const compiled = new Map<string, ValidateFunction>();

/** Judges a value by a schema of the document: of its `components`, or of an operation. */
function problemsIn(schema: object, value: unknown): string[] {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(absolute(withExactIntegers(schema)) as object);
  compiled.set(key, validate);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** An operation of the document. */
function documented(method: string, path: string): OpenAPIV3.OperationObject | undefined {
  return controlDocument.paths[path]?.[method.toLowerCase() as OpenAPIV3.HttpMethods];
}

function problemContent() {
  return resolve({ $ref: '#/components/responses/Problem' })?.content;
}

type MaybeReference = OpenAPIV3.ResponseObject | OpenAPIV3.ReferenceObject | undefined;

function resolve(response: MaybeReference): OpenAPIV3.ResponseObject | undefined {
  if (response === undefined || !('$ref' in response)) return response;
  const name = response.$ref.replace('#/components/responses/', '');
  return controlDocument.components?.responses?.[name] as OpenAPIV3.ResponseObject;
}

/** References in a schema, as Ajv finds them from outside the document. */
function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && String(value).startsWith('#') ? `control${value}` : absolute(value),
    ]),
  );
}
