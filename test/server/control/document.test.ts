import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenAPIV3 } from 'openapi-types';
import { describe, expect, test } from 'vitest';
import { controlRoutes } from '../../../src/server/control/control.js';
import { failureMembers } from '../../../src/server/failures/check-failure.js';
import { connectionFailures } from '../../../src/server/failures/failure.js';
import { Store } from '../../../src/server/plant-store.js';
import { settingsFrom } from '../../../src/server/settings.js';
import { controlDocument } from './control-document.js';

const schemas = controlDocument.components?.schemas as Record<string, OpenAPIV3.SchemaObject>;

describe('spec/control.yaml', () => {
  test('is a valid OpenAPI 3.0 document', async () => {
    expect(await new Validator().validate({ ...structuredClone(controlDocument) })).toStrictEqual({
      valid: true,
    });
  });

  test('has exactly the paths and methods of the control interface', () => {
    const described = Object.entries(controlDocument.paths).flatMap(([path, item]) =>
      Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = controlRoutes(new Store(settingsFrom({})));
    const served = Object.entries(routes).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(served.sort());
  });

  test('has exactly the fields of a failure', () => {
    expect(Object.keys(schemas.Failure?.properties ?? {}).sort()).toEqual([...failureMembers].sort());
    const connection = schemas.Failure?.properties?.connection as OpenAPIV3.SchemaObject | undefined;
    expect(connection?.enum).toEqual(connectionFailures);
  });
});
