import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenAPIV3 } from 'openapi-types';
import { type NewPlant, openApiDocument, type Plant, type PlantStoreError } from 'plant-store-contract/spec';
import {
  type Violation,
  validateError,
  validateNewPlant,
  validatePlant,
  type validateRequest,
} from 'plant-store-contract/validation';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { parse } from 'yaml';

const yaml = readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8');

test('spec/openapi.yaml is a valid OpenAPI 3.0 document', async () => {
  const validator = new Validator();
  expect(await validator.validate(parse(yaml))).toStrictEqual({ valid: true });
  expect(validator.version).toBe('3.0');
});

test('the exported document is the same, frozen through and through', () => {
  expect(openApiDocument).toStrictEqual(parse(yaml));
  const nodes = nodesOf(openApiDocument);
  expect(nodes.length).toBeGreaterThan(30);
  for (const node of nodes) expect(Object.isFrozen(node)).toBe(true);
});

/** An object and all objects within it. */
function nodesOf(value: unknown): object[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(nodesOf)] : [];
}

test('what the document demands is what the interface says', () => {
  // Descriptions, examples and tags demand nothing.
  const demands = JSON.parse(
    JSON.stringify(openApiDocument, (key, member) =>
      ['description', 'examples', 'tags'].includes(key) ? undefined : member,
    ),
  );
  const json = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  expect(demands).toStrictEqual({
    openapi: '3.0.3',
    info: {
      title: 'Plant Store',
      version: '1.0.0',
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    security: [{ bearerAuth: [] }],
    paths: {
      '/plants': {
        post: {
          operationId: 'createPlant',
          summary: 'Creates a new plant in the store',
          requestBody: { required: true, ...json('NewPlant') },
          responses: { 200: json('Plant'), 400: json('Error') },
        },
      },
    },
    components: {
      schemas: {
        Plant: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, tag: { type: 'string' } },
        },
        NewPlant: {
          allOf: [
            { $ref: '#/components/schemas/Plant' },
            {
              type: 'object',
              required: ['id'],
              properties: { id: { type: 'integer', format: 'int64' } },
            },
          ],
        },
        Error: {
          type: 'object',
          required: ['error', 'message'],
          properties: { error: { type: 'integer', format: 'int32' }, message: { type: 'string' } },
        },
      },
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
    },
  });
});

describe('what explains', () => {
  test('has the words of the interface', () => {
    const { Plant, NewPlant } = JSON.parse(JSON.stringify(openApiDocument.components?.schemas));
    expect(Plant.properties.name.description).toBe('The name of the plant');
    expect(Plant.properties.tag.description).toBe('Tag that specifies the type of the plant');
    expect(NewPlant.allOf[1].properties.id.description).toBe('Identification number of the plant');
    const { responses } = openApiDocument.paths['/plants']?.post ?? {};
    expect(responses).toMatchObject({
      200: { description: 'The plant response' },
      400: { description: 'Unexpected error' },
    });
  });

  // What a tool shows first, with a response to each request.
  const { requestBody, responses } = openApiDocument.paths['/plants']?.post ?? {};
  const valuesOf = (body: unknown) => {
    const { content } = body as OpenAPIV3.RequestBodyObject;
    const examples = content['application/json']?.examples as Record<string, OpenAPIV3.ExampleObject>;
    return Object.entries(examples).map(([name, { value }]) => [name, value]);
  };

  test.each([
    ['NewPlant', requestBody, validateNewPlant, ['withTag', 'withoutTag']],
    ['Plant', responses?.[200], validatePlant, ['withTag', 'withoutTag']],
    ['Error', responses?.[400], validateError, ['failure']],
  ])('has examples of %s, and they conform', (_name, body, validate, names) => {
    const examples = valuesOf(body);
    expect(examples.map(([name]) => name)).toEqual(names);
    for (const [, value] of examples) expect(validate(value)).toEqual([]);
  });

  test('has the response to each request', () => {
    const expected = valuesOf(requestBody).map(([name, { id: _, ...plant }]) => [name, plant]);
    expect(valuesOf(responses?.[200])).toEqual(expected);
  });
});

// `npm run types` checks this.
test('the types are those of the document', () => {
  expectTypeOf<Plant>().toEqualTypeOf<{ name: string; tag?: string }>();
  expectTypeOf<NewPlant>().toEqualTypeOf<{ name: string; tag?: string; id: number | bigint }>();
  expectTypeOf<PlantStoreError>().toEqualTypeOf<{ error: number; message: string }>();
});

test('plain data is judged at once, and a fetch message through a promise', () => {
  const ofData = (judge: typeof validateRequest) => judge({ headers: {} });
  expectTypeOf(ofData).returns.toEqualTypeOf<Violation[]>();
  const ofFetch = (judge: typeof validateRequest) => judge(new Request('http://localhost'));
  expectTypeOf(ofFetch).returns.toEqualTypeOf<Promise<Violation[]>>();
});
