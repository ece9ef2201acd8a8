import type { NewPlant } from '../spec/types.js';
import { parseBearer } from '../validation/bearer.js';
import { JsonNumber, type JsonObject, type JsonValue, readJson } from '../validation/json.js';
import { isJsonMediaType } from '../validation/media-type.js';
import { newPlantFields } from '../validation/schema.generated.js';
import { validateNewPlant } from '../validation/schema.js';
import { describe, quoted, type Violation } from '../validation/violation.js';
import { type ErrorName, errorCodes, Refusal } from './error-codes.js';
import { type Answer, type Eventually, fieldValues, type IncomingRequest, pathOf } from './exchange.js';
import type { Settings } from './options.js';
import type { PlantMap } from './store.js';
import { tokenVerifier } from './token.js';

/**
 * The steps from a request to its answer, in their order. Each either goes on or refuses. A fault replaces one
 * or more of them.
 */
export interface Steps {
  /** Is this `POST /plants`? */
  route(request: IncomingRequest): Refusal | undefined;
  /** Has it the right token? */
  authenticate(request: IncomingRequest): Eventually<Refusal | undefined>;
  /** Does `Prefer: code=400` ask for the documented failure? */
  prefer(request: IncomingRequest): Refusal | undefined;
  /** Is the body announced as JSON? */
  checkMediaType(request: IncomingRequest): Refusal | undefined;
  /** The body as a value. */
  readBody(request: IncomingRequest): JsonValue | Refusal;
  /** The value as a NewPlant. */
  validate(value: JsonValue, request: IncomingRequest): NewPlant | Refusal;
  /** The plant, kept. */
  create(plant: NewPlant, request: IncomingRequest): Eventually<NewPlant | Refusal>;
  /** The answer to a creation. */
  render(plant: NewPlant, request: IncomingRequest): Answer;
  /** The answer to a refused request. */
  refuse(refusal: Refusal, request: IncomingRequest): Answer;
  /** Whatever the answer is: how it goes out. */
  deliver(answer: Answer, request: IncomingRequest): Answer;
}

const JSON_HEADERS = ['content-type', 'application/json'] as const;

/** The steps of a server without faults. */
export function correctSteps(settings: Settings, plants: PlantMap): Steps {
  const verify = tokenVerifier(settings);
  return {
    route,
    authenticate(request) {
      const [value, ...more] = fieldValues(request.headers, 'authorization');
      if (value === undefined)
        return new Refusal('authorization-missing', 'the Authorization header is missing');
      if (more.length > 0) {
        return new Refusal('authorization-repeated', 'there is more than one Authorization header');
      }
      const credentials = parseBearer(value);
      if (!credentials.ok) return new Refusal('authorization-malformed', credentials.reason);
      const accepted = verify(credentials.token);
      return typeof accepted === 'boolean' ? refusedToken(accepted) : accepted.then(refusedToken);
    },
    prefer,
    checkMediaType,
    readBody: (request) => readBody(request, settings.limits.bodyBytes),
    validate: (value) => validate(value, settings.unknownFields),
    create(plant) {
      if (settings.repeatedId === 'refuse' && plants.has(plant.id)) {
        return new Refusal('id-repeated', `a plant with the "id" ${plant.id} exists already`);
      }
      plants.set(plant);
      return plant;
    },
    render,
    refuse: (refusal) => refuse(refusal, settings.authenticationFailureStatus),
    deliver: (answer) => answer,
  };
}

function route({ target, method }: IncomingRequest): Refusal | undefined {
  const path = pathOf(target);
  if (path !== '/plants')
    return new Refusal('unknown-path', `there is nothing at ${quoted(path)}; plants are created at /plants`);
  if (method === 'POST') return undefined;
  return new Refusal('method-not-allowed', `/plants takes POST only; got ${quoted(method)}`);
}

function refusedToken(accepted: boolean): Refusal | undefined {
  return accepted ? undefined : new Refusal('token-wrong', 'the token is not one that this server accepts');
}

function prefer({ headers }: IncomingRequest): Refusal | undefined {
  const wished = fieldValues(headers, 'prefer').some((value) =>
    /(?:^|[,;])\s*code\s*=\s*"?400"?\s*(?:$|[,;])/i.test(value),
  );
  return wished
    ? new Refusal('failure-preferred', 'the request asked for this failure with Prefer: code=400')
    : undefined;
}

function checkMediaType({ headers }: IncomingRequest): Refusal | undefined {
  const values = fieldValues(headers, 'content-type');
  const value = values[0];
  if (value === undefined)
    return new Refusal('media-type', 'the Content-Type must be application/json; got none');
  if (values.length > 1 || !isJsonMediaType(value)) {
    return new Refusal(
      'media-type',
      `the Content-Type must be application/json; got ${values.map(quoted).join(' and ')}`,
    );
  }
  const codings = fieldValues(headers, 'content-encoding').filter(
    (coding) => coding.toLowerCase() !== 'identity',
  );
  if (codings.length === 0) return undefined;
  return new Refusal(
    'content-encoding',
    `no Content-Encoding is understood; got ${codings.map(quoted).join(' and ')}`,
  );
}

function readBody({ body }: IncomingRequest, limit: number): JsonValue | Refusal {
  if (body === undefined)
    return new Refusal('body-too-large', `the body must not be larger than ${limit} bytes`);
  if (body.length === 0)
    return new Refusal('body-missing', 'the body is missing; it must be a NewPlant as JSON');
  const read = readJson(body);
  if (!read.ok)
    return new Refusal('json-malformed', `the body is not JSON: ${read.message}, at byte ${read.offset}`);
  const repeated = read.duplicateKeys[0];
  // Two values for one field: whichever is taken, the client may have meant the other.
  if (repeated !== undefined)
    return new Refusal('json-repeated-key', `the key ${quoted(pathIn(repeated))} stands twice in the body`);
  return read.value;
}

/** A JSON pointer as people write it. */
function pathIn(pointer: string): string {
  return pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
}

function validate(value: JsonValue, unknownFields: Settings['unknownFields']): NewPlant | Refusal {
  const [violation] = validateNewPlant(value);
  if (violation !== undefined) return new Refusal(reasonFor(violation, value), violation.message);
  const plant = value as JsonObject & NewPlant;
  if (unknownFields === 'refuse') {
    const unknown = Object.keys(plant).find((key) => !newPlantFields.includes(key));
    if (unknown !== undefined) {
      return new Refusal(
        'field-unknown',
        `there is no field ${quoted(unknown)} in a NewPlant; got ${describe(plant[unknown])}`,
      );
    }
  }
  return plant.tag === undefined
    ? { name: plant.name, id: plant.id }
    : { name: plant.name, id: plant.id, tag: plant.tag };
}

/** The error name of what is wrong with a field. */
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

function render({ name, tag }: NewPlant): Answer {
  // JSON.stringify leaves out a tag that is undefined.
  return { status: 200, headers: JSON_HEADERS, body: JSON.stringify({ name, tag }) };
}

function refuse({ reason, message }: Refusal, authenticationFailureStatus: number): Answer {
  const body = JSON.stringify({ error: errorCodes[reason], message });
  switch (reason) {
    case 'unknown-path':
      return { status: 404, headers: JSON_HEADERS, body };
    case 'method-not-allowed':
      return { status: 405, headers: [...JSON_HEADERS, 'allow', 'POST'], body };
    case 'internal-error':
      return { status: 500, headers: JSON_HEADERS, body };
    case 'authorization-missing':
      return {
        status: authenticationFailureStatus,
        headers: [...JSON_HEADERS, 'www-authenticate', 'Bearer'],
        body,
      };
    case 'authorization-malformed':
    case 'authorization-repeated':
      return {
        status: authenticationFailureStatus,
        headers: [...JSON_HEADERS, 'www-authenticate', 'Bearer error="invalid_request"'],
        body,
      };
    case 'token-wrong':
      return {
        status: authenticationFailureStatus,
        headers: [...JSON_HEADERS, 'www-authenticate', 'Bearer error="invalid_token"'],
        body,
      };
    case 'failure-preferred':
      return { status: 400, headers: [...JSON_HEADERS, 'preference-applied', 'code=400'], body };
    default:
      return { status: 400, headers: JSON_HEADERS, body };
  }
}
