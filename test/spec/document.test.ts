import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenAPIV3 } from 'openapi-types';
import { openApiDocument } from 'plant-store-contract/spec';
import { validateError, validateNewPlant, validatePlant } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const yaml = readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8');

describe('spec/openapi.yaml', () => {
  test('is a valid OpenAPI 3.0 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(parse(yaml))).toStrictEqual({ valid: true });
    expect(validator.version).toBe('3.0');
  });

  test('is the exported document', () => {
    expect(openApiDocument).toStrictEqual(parse(yaml));
  });
});

/** The document without what demands nothing: descriptions, examples and tags. */
const demands = withoutHelp(openApiDocument);

describe('the document agrees with the interface', () => {
  test('the version is 1.0.0 and the licence MIT', () => {
    expect(openApiDocument.openapi).toBe('3.0.3');
    expect(openApiDocument.info.version).toBe('1.0.0');
    expect(openApiDocument.info.license).toMatchObject({ name: 'MIT' });
  });

  test('bearer authentication applies to the whole interface', () => {
    expect(openApiDocument.security).toStrictEqual([{ bearerAuth: [] }]);
    expect(demands.components?.securitySchemes).toStrictEqual({
      bearerAuth: { type: 'http', scheme: 'bearer' },
    });
    expect(openApiDocument.paths['/plants']?.post).not.toHaveProperty('security');
  });

  test('there is one path with one operation, and neither has parameters', () => {
    expect(Object.keys(openApiDocument.paths)).toStrictEqual(['/plants']);
    expect(Object.keys(openApiDocument.paths['/plants'] ?? {})).toStrictEqual(['post']);
    expect(openApiDocument.paths['/plants']?.post).not.toHaveProperty('parameters');
    expect(openApiDocument.paths['/plants']?.post?.summary).toBe('Creates a new plant in the store');
  });

  test('the request body is required, and a NewPlant as application/json', () => {
    expect(demands.paths['/plants']?.post?.requestBody).toStrictEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPlant' } } },
    });
  });

  test('the responses are exactly 200, a Plant, and 400, an Error, both as application/json', () => {
    expect(demands.paths['/plants']?.post?.responses).toStrictEqual({
      200: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } },
      },
      400: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    });
  });
});

describe('the schemas', () => {
  const schemas = demands.components?.schemas ?? {};

  test('Plant: name is required, tag is not, both are strings and nothing else is demanded of them', () => {
    expect(schemas.Plant).toStrictEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        tag: { type: 'string' },
      },
    });
  });

  test('NewPlant: all of Plant, and a required int64 id', () => {
    expect(schemas.NewPlant).toStrictEqual({
      allOf: [
        { $ref: '#/components/schemas/Plant' },
        {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer', format: 'int64' } },
        },
      ],
    });
  });

  test('Error: an int32 and a message, both required', () => {
    expect(schemas.Error).toStrictEqual({
      type: 'object',
      required: ['error', 'message'],
      properties: { error: { type: 'integer', format: 'int32' }, message: { type: 'string' } },
    });
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
  const examplesOf = (body: unknown): Record<string, OpenAPIV3.ExampleObject> =>
    (body as OpenAPIV3.RequestBodyObject).content['application/json']?.examples as never;
  const { requestBody, responses } = openApiDocument.paths['/plants']?.post ?? {};
  const valuesOf = (body: unknown) =>
    Object.entries(examplesOf(body)).map(([name, { value }]) => [name, value]);

  test.each([
    ['NewPlant', requestBody, validateNewPlant, ['withTag', 'withoutTag']],
    ['Plant', responses?.[200], validatePlant, ['withTag', 'withoutTag']],
    ['Error', responses?.[400], validateError, ['failure']],
  ])('has examples of %s, and they conform', (_name, body, validate, names) => {
    const examples = valuesOf(body);
    expect(examples.map(([name]) => name)).toEqual(names);
    for (const [, value] of examples) expect(validate(value)).toEqual([]);
    expect(validate({ ...examples[0]?.[1], ...{ name: 7, error: '1' } })).not.toEqual([]);
  });

  test('has the response to each request', () => {
    const expected = valuesOf(requestBody).map(([name, { id: _, ...plant }]) => [name, plant]);
    expect(valuesOf(responses?.[200])).toEqual(expected);
  });
});

describe('the exported document', () => {
  test('is frozen through and through', () => {
    const nodes = nodesOf(openApiDocument);
    expect(nodes.length).toBeGreaterThan(30);
    for (const node of nodes) expect(Object.isFrozen(node)).toBe(true);
  });
});

/** A copy without the members that only explain. */
function withoutHelp<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (key, member) =>
      ['description', 'examples', 'tags'].includes(key) ? undefined : member,
    ),
  );
}

/** An object and all objects within it. */
function nodesOf(value: unknown): object[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(nodesOf)] : [];
}
