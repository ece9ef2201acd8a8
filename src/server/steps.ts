import { headerValues } from '../http/fields.js';
import { operation, pathOf } from '../spec/operation.js';
import type { NewPlant } from '../spec/types.js';
import { isJsonMediaType, parseBearer, parseMediaType } from '../validation/header-values.js';
import { jsonProblem } from '../validation/json.js';
import { JsonNumber, type JsonObject, type JsonValue, keysIn } from '../validation/json-value.js';
import { newPlantFields } from '../validation/schema.generated.js';
import { validateNewPlant } from '../validation/schema.js';
import { describe, quoted, type Violation } from '../validation/violation.js';
import { constraintsFrom } from './constraints.js';
import { type ErrorName, Rejection } from './error-codes.js';
import { andThen, type IncomingRequest, type MaybePromise, type OutgoingResponse } from './exchange.js';
import type { Settings } from './options.js';
import { readDeepJson, tooDeepAt } from './parsed-body.js';
import { rejecterFrom } from './rejections.js';
import type { PlantMap } from './store.js';
import { tokenVerifier } from './token.js';

/**
 * The steps from a request to its response, in order. Each step returns its result or a rejection. A fault replaces one
 * or more steps.
 */
export interface Steps {
  /** Is this `POST /plants`? */
  route(request: IncomingRequest): Rejection | undefined;
  /** Does it have an accepted token? */
  authenticate(request: IncomingRequest): MaybePromise<Rejection | undefined>;
  /** Is the media type `application/json`? */
  checkMediaType(request: IncomingRequest): Rejection | undefined;
  /** The body as a value. */
  readBody(request: IncomingRequest): JsonValue | Rejection;
  /** The value as a NewPlant. */
  validate(value: JsonValue, request: IncomingRequest): NewPlant | Rejection;
  /** Stores the plant. */
  create(plant: NewPlant, request: IncomingRequest): MaybePromise<NewPlant | Rejection>;
  /** The response to a creation. */
  render(plant: NewPlant, request: IncomingRequest): OutgoingResponse;
  /** The response to a rejected request. */
  reject(rejection: Rejection, request: IncomingRequest): OutgoingResponse;
  /** Changes how any response is sent. */
  deliver(response: OutgoingResponse, request: IncomingRequest): OutgoingResponse;
}

const JSON_HEADERS = ['content-type', 'application/json'] as const;

/** The steps of a server without faults. */
export function correctSteps(settings: Settings, plants: PlantMap): Steps {
  const verify = tokenVerifier(settings);
  const constraint = constraintsFrom(settings);
  return {
    route,
    authenticate(request) {
      const [value, ...more] = headerValues(request.headers, 'authorization');
      if (value === undefined)
        return new Rejection('authorization-missing', 'the Authorization header is missing');
      if (more.length > 0 && settings.duplicateAuthorization === 'reject') {
        return new Rejection('authorization-duplicate', 'there is more than one Authorization header');
      }
      const credentials = parseBearer(value);
      if (!credentials.ok) return new Rejection('authorization-malformed', credentials.reason);
      const misspelled = misspelling(value, settings.authorizationSyntax);
      if (misspelled !== undefined) return new Rejection('authorization-malformed', misspelled);
      return andThen(verify(credentials.token), wrongToken);
    },
    checkMediaType: (request) => checkMediaType(request, settings.mediaTypes),
    readBody: (request) => readBody(request, settings),
    validate(value, request) {
      const plant = validate(value, settings.unknownFields);
      return plant instanceof Rejection ? plant : (constraint(plant, request) ?? plant);
    },
    create(plant) {
      const old = plants.get(plant.id);
      const duplicate = duplicateOf(plant, old, plants, settings);
      if (duplicate !== undefined) return duplicate;
      plants.put(plant, old);
      return plant;
    },
    render,
    reject: rejecterFrom(settings),
    deliver: (response) => response,
  };
}

function route({ target, method }: IncomingRequest): Rejection | undefined {
  const path = pathOf(target);
  if (path !== operation.path)
    return new Rejection(
      'unknown-path',
      `unknown path ${quoted(path)}; plants are created at ${operation.path}`,
    );
  if (method === operation.method) return undefined;
  return new Rejection(
    'method-not-allowed',
    `${operation.path} accepts ${operation.method} only; got ${quoted(method)}`,
  );
}

/** What the options do not allow in the value of an Authorization header. */
function misspelling(value: string, syntax: Settings['authorizationSyntax']): string | undefined {
  if ((syntax === 'exact' || syntax === 'exact-scheme') && !value.startsWith('Bearer '))
    return 'the scheme must be written "Bearer"';
  if ((syntax === 'exact' || syntax === 'one-space') && !/^\S+ \S+$/.test(value))
    return 'there must be one space between the scheme and the token';
  return undefined;
}

function wrongToken(accepted: boolean): Rejection | undefined {
  return accepted ? undefined : new Rejection('token-wrong', 'the token is unknown');
}

function checkMediaType(
  { headers }: IncomingRequest,
  further: Settings['mediaTypes'],
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

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

function readBody(
  { body: received }: IncomingRequest,
  { limits, byteOrderMark, duplicateKeys }: Settings,
): JsonValue | Rejection {
  if (received === undefined)
    return new Rejection('body-too-large', `the body must not be larger than ${limits.bodyBytes} bytes`);
  const isMarked = byteOrderMark === 'accept' && BYTE_ORDER_MARK.every((byte, at) => received[at] === byte);
  const body = isMarked ? received.subarray(BYTE_ORDER_MARK.length) : received;
  if (body.length === 0)
    return new Rejection('body-missing', 'the body is missing; it must be a NewPlant as JSON');
  // JSON has no limit of depth, so this is a limit of ours.
  const deepAt = tooDeepAt(body, limits.depth);
  if (deepAt !== undefined)
    return new Rejection(
      'json-too-deep',
      `the JSON text nests deeper than ${limits.depth} levels, at byte ${deepAt}`,
    );
  const read = readDeepJson(body);
  if (!read.ok) return new Rejection('json-malformed', `the body is not JSON: ${jsonProblem(read)}`);
  const duplicate = read.duplicateKeys[0];
  // Either value may be the one that the client meant.
  if (duplicate !== undefined && duplicateKeys === 'reject')
    return new Rejection(
      'json-duplicate-key',
      `the body has the key ${quoted(keysIn(duplicate).join('/'))} twice`,
    );
  return read.value;
}

function validate(value: JsonValue, unknownFields: Settings['unknownFields']): NewPlant | Rejection {
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

function duplicateOf(
  { id, name, tag }: NewPlant,
  old: NewPlant | undefined,
  plants: PlantMap,
  { duplicateId, duplicateName }: Settings,
): Rejection | undefined {
  const isSame = old !== undefined && old.name === name && old.tag === tag;
  const isAllowed = duplicateId === 'replace' || (duplicateId === 'reject-different' && isSame);
  if (old !== undefined && !isAllowed)
    return new Rejection('id-duplicate', `a plant with the "id" ${id} exists already`);
  if (duplicateName === 'reject' && plants.hasName(name, old))
    return new Rejection('name-duplicate', `a plant with the "name" ${quoted(name)} exists already`);
  return undefined;
}

function render({ name, tag }: NewPlant): OutgoingResponse {
  // JSON.stringify omits an undefined tag.
  return { status: 200, headers: JSON_HEADERS, body: JSON.stringify({ name, tag }) };
}
