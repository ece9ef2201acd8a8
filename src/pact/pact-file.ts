import { ToolkitError } from '../toolkit-error.js';
import { readJsonText } from '../validation/json.js';
import { sliceAt } from '../validation/json-slices.js';
import type { JsonObject, JsonValue } from '../validation/json-value.js';

/** A state that a provider has to be in: what its data is before the request. */
export interface ProviderState {
  readonly name: string;
  readonly params: JsonObject;
}

/** A body in a pact. */
export interface PactBody {
  /** As it is written in the pact, where it is JSON there: numbers as they stand. */
  readonly json?: string;
  /** The value; numbers are exact. A body that is no JSON is a string. */
  readonly value: JsonValue;
  readonly contentType: string | undefined;
}

/** A request or a response in a pact: what both have. */
export interface PactMessage {
  /** Names as written; a field with several values stands here as often. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: PactBody | undefined;
  readonly matchingRules: JsonObject;
  readonly generators: JsonObject;
}

/** One interaction of a pact: a request, and the response that the consumer relies on. */
export interface PactInteraction {
  /** Its place in the file. */
  readonly index: number;
  readonly description: string;
  readonly states: readonly ProviderState[];
  readonly pending: boolean;
  readonly request: PactMessage & {
    readonly method: string;
    readonly path: string;
    readonly query: JsonValue | undefined;
  };
  readonly response: PactMessage & {
    readonly status: number;
    /** Whether every status of a class is as good: `matchStatus` with `clientError`, in V4. */
    readonly statusClass: string | undefined;
  };
}

/** A pact: what one consumer relies on in one provider. */
export interface Pact {
  readonly consumer: string;
  readonly provider: string;
  /** The version of the Pact specification that it is written in, as `4.0`; `undefined` where it does not say. */
  readonly specification: string | undefined;
  readonly interactions: readonly PactInteraction[];
  /** What it holds beside HTTP interactions, by type: messages, mostly. */
  readonly unreadable: readonly string[];
}

const HTTP = 'Synchronous/HTTP';

/**
 * Reads a pact of specification 2, 3 or 4 exactly.
 *
 * @param text its JSON
 * @param where what it is called in an error: a file or a URL
 * @throws ToolkitError `invalid-pact`, with a sentence that says what is wrong, and where
 */
export function readPact(text: string, where: string): Pact {
  const wrong = (why: string): ToolkitError =>
    new ToolkitError('invalid-pact', `${where} is no pact: ${why}`);
  const read = readJsonText(text);
  if (!read.ok) throw wrong(`it is not JSON: ${read.message}, at byte ${read.offset}`);
  const root = read.value;
  if (!isObject(root)) throw wrong('it is not an object');
  const name = (role: 'consumer' | 'provider'): string => {
    const party = root[role];
    if (isObject(party) && typeof party.name === 'string' && party.name !== '') return party.name;
    throw wrong(`/${role}/name is not a text`);
  };
  const { interactions, messages } = root;
  if (interactions === undefined && Array.isArray(messages))
    throw wrong('it holds messages, and no interactions');
  if (!Array.isArray(interactions)) throw wrong('/interactions is not a list');
  const found: PactInteraction[] = [];
  const unreadable: string[] = [];
  for (const [index, interaction] of interactions.entries()) {
    const at = `/interactions/${index}`;
    if (!isObject(interaction)) throw wrong(`${at} is not an object`);
    const { type = HTTP } = interaction;
    if (type === HTTP)
      found.push(interactionOf(interaction, { text, index, wrong: (why) => wrong(`${at}${why}`) }));
    else unreadable.push(String(type));
  }
  return {
    consumer: name('consumer'),
    provider: name('provider'),
    specification: specificationOf(root),
    interactions: found,
    unreadable,
  };
}

interface Place {
  readonly text: string;
  readonly index: number;
  wrong(why: string): ToolkitError;
}

function interactionOf(interaction: JsonObject, place: Place): PactInteraction {
  const { description, request, response, pending } = interaction;
  if (typeof description !== 'string') throw place.wrong('/description is not a text');
  if (!isObject(request)) throw place.wrong('/request is not an object');
  if (!isObject(response)) throw place.wrong('/response is not an object');
  const { method = 'GET', path = '/', query } = request;
  const { status = 200 } = response;
  if (typeof method !== 'string') throw place.wrong('/request/method is not a text');
  if (typeof path !== 'string') throw place.wrong('/request/path is not a text');
  if (typeof status !== 'number') throw place.wrong('/response/status is not a number');
  return {
    index: place.index,
    description,
    states: statesOf(interaction),
    pending: pending === true,
    request: { ...messageOf(request, 'request', place), method: method.toUpperCase(), path, query },
    response: { ...messageOf(response, 'response', place), status, statusClass: statusClassOf(response) },
  };
}

/** Specification 2 has one state, a text; 3 and 4 have a list, with parameters. */
function statesOf({ providerState, providerStates }: JsonObject): ProviderState[] {
  if (typeof providerStates === 'string') return [{ name: providerStates, params: {} }];
  if (Array.isArray(providerStates))
    return providerStates.filter(isObject).map(({ name, params }) => ({
      name: String(name),
      params: isObject(params) ? params : {},
    }));
  return typeof providerState === 'string' && providerState !== ''
    ? [{ name: providerState, params: {} }]
    : [];
}

function messageOf(message: JsonObject, part: 'request' | 'response', { text, index }: Place): PactMessage {
  const { headers, matchingRules, generators } = message;
  const fields = Object.entries(isObject(headers) ? headers : {}).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value) => [name, String(value)] as const),
  );
  return {
    headers: fields,
    body: bodyOf(message.body, fields, (...inside) =>
      textAt(text, ['interactions', index, part, 'body', ...inside]),
    ),
    matchingRules: isObject(matchingRules) ? matchingRules : {},
    generators: isObject(generators) ? generators : {},
  };
}

function bodyOf(
  body: JsonValue | undefined,
  headers: PactMessage['headers'],
  written: (...inside: string[]) => string | undefined,
): PactBody | undefined {
  if (body === undefined || body === null) return undefined;
  const declared = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (!isObject(body) || !('content' in body && ('contentType' in body || 'encoded' in body)))
    return { ...jsonUnlessText(body, written()), value: body, contentType: declared };
  const { content = null, contentType, encoded = false } = body;
  const type = typeof contentType === 'string' ? contentType : declared;
  if (encoded === false)
    return { ...jsonUnlessText(content, written('content')), value: content, contentType: type };
  // "json": the text of a JSON value; any other word is the encoding of bytes.
  const decoded = encoded === 'base64' ? Buffer.from(String(content), 'base64').toString() : String(content);
  const read = readJsonText(decoded);
  return { ...(read.ok && { json: decoded }), value: read.ok ? read.value : decoded, contentType: type };
}

/** A text may be a body that is no JSON: `json` is then left out. */
function jsonUnlessText(value: JsonValue, json: string | undefined): { readonly json?: string } {
  return typeof value === 'string' || json === undefined ? {} : { json };
}

function textAt(text: string, path: readonly (string | number)[]): string | undefined {
  const slice = sliceAt(text, path);
  return slice && text.slice(slice.start, slice.end);
}

/** V4: `matchingRules.status.$.matchers: [{ match: "statusCode", status: "clientError" }]`. */
function statusClassOf({ matchingRules }: JsonObject): string | undefined {
  const matchers = at(matchingRules, 'status', '$', 'matchers') ?? at(matchingRules, 'status', 'matchers');
  const [matcher] = Array.isArray(matchers) ? matchers : [];
  const status = at(matcher, 'status');
  return at(matcher, 'match') === 'statusCode' && typeof status === 'string' ? status : undefined;
}

function specificationOf({ metadata }: JsonObject): string | undefined {
  const version =
    at(metadata, 'pactSpecification', 'version') ??
    at(metadata, 'pact-specification', 'version') ??
    at(metadata, 'pactSpecificationVersion');
  return typeof version === 'string' ? version : undefined;
}

function at(value: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inside, key) => (isObject(inside) ? inside[key] : undefined),
    value,
  );
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
