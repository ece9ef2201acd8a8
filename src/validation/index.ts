/**
 * Validation of values and of whole messages against the plant store interface. It imports nothing of Node.
 * @module
 */

export type { HeaderFields } from '../http/fields.js';
export {
  type BearerCredentials,
  isJsonMediaType,
  type MediaType,
  parseBearer,
  parseMediaType,
} from './header-values.js';
export { readJson, readJsonText, type WritableJson, writeJson } from './json.js';
export { JsonNumber, type JsonObject, type JsonRead, type JsonValue } from './json-value.js';
export type { Body, PlainRequest, PlainResponse } from './message.js';
export { loadPrism, type Prism } from './prism.js';
export { validateRequest } from './request.js';
export { type ResponseOptions, validateResponse } from './response.js';
export { validateError, validateNewPlant, validatePlant } from './schema.js';
export type { Part, Severity, Violation } from './violation.js';
