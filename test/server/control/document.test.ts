import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenAPIV3 } from 'openapi-types';
import { describe, expect, test } from 'vitest';
import { SeenSecrets } from '../../../src/proxy/seen-secrets.js';
import { healthRoutes } from '../../../src/server/control/start-control.js';
import { storeRoutes } from '../../../src/server/control/store-routes.js';
import { Engine } from '../../../src/server/engine.js';
import { failureMembers } from '../../../src/server/failures/check-failure.js';
import { connectionFailures } from '../../../src/server/failures/failure.js';
import { settingsFrom } from '../../../src/server/options.js';
import { watchProxy } from '../../../src/server/page/watch-proxy.js';
import { watchStore } from '../../../src/server/page/watch-store.js';
import { emptyPage } from '../page/watched.js';
import { controlDocument, problemsIn } from './control-document.js';

const schemas = controlDocument.components?.schemas as Record<string, OpenAPIV3.SchemaObject>;

describe('spec/control.yaml', () => {
  test('is a valid OpenAPI 3.0 document', async () => {
    expect(await new Validator().validate({ ...structuredClone(controlDocument) })).toStrictEqual({
      valid: true,
    });
  });

  test('has exactly the paths and methods of the control interface', async () => {
    const described = Object.entries(controlDocument.paths).flatMap(([path, item]) =>
      Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const engine = new Engine(settingsFrom({}));
    const folder = await emptyPage();
    const { proxy, routes: ofProxy } = await watchProxy(
      { upstream: 'http://127.0.0.1:1' },
      new SeenSecrets(),
      folder,
    );
    await proxy.close();
    const ofStore = watchStore(engine, 'http://127.0.0.1:1', [], folder);
    const routes = { ...healthRoutes, ...storeRoutes(engine), ...ofStore, ...ofProxy };
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

  test('is judged exactly', () => {
    const plant = (id: unknown) =>
      problemsIn({ $ref: '#/components/schemas/NewPlant' }, { name: 'Aloe', id });
    expect(plant(2n ** 63n - 1n)).toEqual([]);
    expect(plant(2n ** 63n)).not.toEqual([]);
    expect(plant('7')).not.toEqual([]);
    expect(problemsIn({ $ref: '#/components/schemas/Failure' }, { status: 200 })).not.toEqual([]);
  });
});
