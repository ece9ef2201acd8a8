/**
 * The interface as an OpenAPI 3.0.3 document, and the types derived from it. The document as YAML is
 * `plant-store-contract/spec/openapi.yaml`.
 * @module
 */
import type { OpenAPIV3 } from 'openapi-types';
import { document } from './document.generated.js';

export type { NewPlant, Plant, PlantStoreError } from './types.js';

/** `Readonly` at every level, because all importers share the document. */
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/**
 * The OpenAPI document of the plant store, frozen. Pass a `structuredClone` to tools that dereference in place.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { openApiDocument } from 'plant-store-contract/spec';
 *
 * assert.deepEqual(Object.keys(openApiDocument.paths), ['/plants']);
 * assert.equal(openApiDocument.info.version, '1.0.0');
 */
export const openApiDocument: DeepReadonly<OpenAPIV3.Document> = deepFreeze(document);

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
