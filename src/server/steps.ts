import { headerValues } from '../http/fields.js';
import { operation, pathOf } from '../spec/operation.js';
import type { NewPlant } from '../spec/types.js';
import { isJsonMediaType, parseBearer, parseMediaType } from '../validation/header-values.js';
import { jsonProblem, readJson } from '../validation/json.js';
import { JsonNumber, type JsonObject, type JsonValue, keysIn } from '../validation/json-value.js';
import { newPlantFields } from '../validation/schema.generated.js';
import { validateNewPlant } from '../validation/schema.js';
import { describe, quoted, type Violation } from '../validation/violation.js';
import type { Behaviour } from './behaviour.js';
import { type ErrorName, Rejection } from './error-codes.js';
import type { IncomingRequest, OutgoingResponse } from './exchange.js';
import type { PlantMap } from './plants.js';
import { JSON_HEADERS, rejecterFrom } from './rejections.js';

/**
 * The steps from a request to its response, in order. Each step returns its result or a rejection. A fault replaces one
 * or more steps.
 */
export interface Steps {
  /** Is this `POST /plants`? */
  route(request: IncomingRequest): Rejection | undefined;
  /** Does it have an accepted token? */
  authenticate(request: IncomingRequest): Promise<Rejection | undefined>;
  /** Is the media type `application/json`? */
  checkMediaType(request: IncomingRequest): Rejection | undefined;
  /** The body as a value. */
  readBody(request: IncomingRequest): JsonValue | Rejection;
  /** The value as a NewPlant. */
  validate(value: JsonValue, request: IncomingRequest): NewPlant | Rejection;
  /** Stores the plant. */
  create(plant: NewPlant, request: IncomingRequest): Promise<NewPlant | Rejection>;
  /** The response to a creation. */
  render(plant: NewPlant, request: IncomingRequest): OutgoingResponse;
  /** The response to a rejected request. */
  reject(rejection: Rejection, request: IncomingRequest): OutgoingResponse;
  /** Changes how any response is sent. */
  deliver(response: OutgoingResponse, request: IncomingRequest): OutgoingResponse;
}

/** The steps of a server without faults. */
export function correctSteps(settings: Behaviour, plants: PlantMap): Steps {
  const { tokens, verify = (token: string) => tokens.includes(token) } = settings;
  const path = settings.basePath + operation.path;
  return {
    route: (request) => route(request, path),
    async authenticate(request) {
      const [value, ...more] = headerValues(request.headers, 'authorization');
      if (value === undefined)
        return new Rejection('authorization-missing', 'the Authorization header is missing');
      if (more.length > 0)
        return new Rejection('authorization-duplicate', 'there is more than one Authorization header');
      const credentials = parseBearer(value);
      if (!credentials.ok) {
        const isBearer = /^bearer( |$)/i.test(value);
        return new Rejection(
          isBearer ? 'authorization-malformed' : 'authorization-scheme',
          credentials.reason,
        );
      }
      if (settings.schemeCase === 'exact' && !value.startsWith('Bearer '))
        return new Rejection('authorization-malformed', 'the scheme must be written "Bearer"');
      const isAccepted = await verify(credentials.token);
      return isAccepted ? undefined : new Rejection('token-wrong', 'the token is unknown');
    },
    checkMediaType: (request) => checkMediaType(request, settings.mediaTypes),
    readBody: (request) => readBody(request, settings),
    validate: (value) => validate(value, settings.unknownFields),
    async create(plant) {
      const old = plants.get(plant.id);
      const isSame = old?.name === plant.name && old.tag === plant.tag;
      const isAllowed =
        settings.duplicateId === 'replace' || (settings.duplicateId === 'reject-different' && isSame);
      if (old !== undefined && !isAllowed)
        return new Rejection('id-duplicate', `a plant with the "id" ${plant.id} exists already`);
      plants.set(plant);
      return plant;
    },
    render,
    reject: rejecterFrom(settings),
    deliver: (response) => response,
  };
}

function route({ target, method }: IncomingRequest, expected: string): Rejection | undefined {
  const path = pathOf(target);
  if (path !== expected)
    return new Rejection('unknown-path', `unknown path ${quoted(path)}; plants are created at ${expected}`);
  if (method === operation.method) return undefined;
  return new Rejection(
    'method-not-allowed',
    `${expected} accepts ${operation.method} only; got ${quoted(method)}`,
  );
}

function checkMediaType(
  { headers }: IncomingRequest,
  further: Behaviour['mediaTypes'],
): Rejection | undefined {
  const values = headerValues(headers, 'content-type');
  if ((values.length !== 1 || !values.every(isJsonMediaType)) && !isOneOf(values, further)) {
    const got = values.map(quoted).join(' and ') || 'none';
    return new Rejection('media-type', `the Content-Type must be application/json; got ${got}`);
  }
  const codings = headerValues(headers, 'content-encoding').filter(
    (coding) => coding.toLowerCase() !== 'identity',
  );
  if (codings.length === 0) return undefined;
  return new Rejection(
    'content-encoding',
    `Content-Encoding is not supported; got ${codings.map(quoted).join(' and ')}`,
  );
}

/** Whether the media type of a request is one of a list, in which `none` is a missing one. */
function isOneOf(values: readonly string[], list: readonly string[]): boolean {
  if (list.length === 0 || values.length > 1) return false;
  const essence = values[0] === undefined ? 'none' : parseMediaType(values[0])?.essence;
  return list.some((one) => one === essence || (one === '*/*' && essence !== 'none'));
}

function readBody({ body }: IncomingRequest, { bodyBytes }: Behaviour): JsonValue | Rejection {
  if (body === undefined)
    return new Rejection('body-too-large', `the body must not be larger than ${bodyBytes} bytes`);
  if (body.length === 0)
    return new Rejection('body-missing', 'the body is missing; it must be a NewPlant as JSON');
  const read = readJson(body);
  if (!read.ok) return new Rejection('json-malformed', `the body is not JSON: ${jsonProblem(read)}`);
  const duplicate = read.duplicateKeys[0];
  // Either value may be the one that the client meant.
  if (duplicate !== undefined)
    return new Rejection(
      'json-duplicate-key',
      `the body has the key ${quoted(keysIn(duplicate).join('/'))} twice`,
    );
  return read.value;
}

function validate(value: JsonValue, unknownFields: Behaviour['unknownFields']): NewPlant | Rejection {
  const [violation] = validateNewPlant(value);
  if (violation !== undefined) return new Rejection(reasonFor(violation, value), violation.message);
  const plant = value as JsonObject & NewPlant;
  if (unknownFields === 'reject') {
    const unknown = Object.keys(plant).find((key) => !newPlantFields.includes(key));
    if (unknown !== undefined) {
      return new Rejection(
        'field-unknown',
        `${quoted(unknown)} is not a field of NewPlant; got ${describe(plant[unknown])}`,
      );
    }
  }
  const { name, id, tag } = plant;
  return tag === undefined ? { name, id } : { name, id, tag };
}

/** The error name for a violation. */
function reasonFor({ pointer, keyword, expected }: Violation, value: JsonValue): ErrorName {
  if (keyword === 'required') return expected.includes('"name"') ? 'name-missing' : 'id-missing';
  if (pointer === '/name') return 'name-invalid';
  if (pointer === '/tag') return 'tag-invalid';
  if (pointer !== '/id') return 'body-not-an-object';
  const { id } = value as JsonObject;
  return typeof id === 'bigint' || (id instanceof JsonNumber && id.isInteger)
    ? 'id-out-of-range'
    : 'id-invalid';
}

function render({ name, tag }: NewPlant): OutgoingResponse {
  // JSON.stringify omits an undefined tag.
  return { status: 200, headers: JSON_HEADERS, body: JSON.stringify({ name, tag }) };
}
