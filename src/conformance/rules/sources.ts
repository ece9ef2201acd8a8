import { operation } from '../../spec/operation.js';
import { pointerTo } from '../../validation/json-value.js';

/** A heading of the interface document. */
export const RESOURCES = 'Resources and their fields';

/** Where the operation and its parts are in the OpenAPI document, as JSON pointers. */
export const OPERATION = pointerTo(['paths', operation.path, operation.method.toLowerCase()]);
export const REQUEST_BODY = `${OPERATION}/requestBody`;
export const REQUEST_JSON = `${REQUEST_BODY}/content/application~1json`;
export const RESPONSES = `${OPERATION}/responses`;
export const RESPONSE_200 = `${RESPONSES}/200`;
export const RESPONSE_400 = `${RESPONSES}/400`;

/** Where the schemas are in the OpenAPI document. NEW_PLANT is the part that it adds to PLANT. */
export const PLANT = '/components/schemas/Plant';
export const NEW_PLANT = '/components/schemas/NewPlant/allOf/1';
export const ERROR = '/components/schemas/Error';
export const BEARER = '/components/securitySchemes/bearerAuth';
