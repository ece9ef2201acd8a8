import { headerValues } from '../http/fields.js';
import { ToolkitError } from '../toolkit-error.js';
import { readJsonText, type WritableJson, writeJson } from '../validation/json.js';
import { lineAndColumn } from '../validation/json-file.js';
import { JsonSpans } from '../validation/json-spans.js';
import { isObject, type JsonObject, type JsonValue, objectOf } from '../validation/json-value.js';
import { bytesIn } from '../validation/message.js';
import type { PactPlugin } from './installed-pact.js';
import { Patterns } from './matching/patterns.js';

/** The text of a pact, and where it comes from. */
export interface PactSource {
  /** The file or the URL. */
  readonly where: string;
  /** As it was written: every digit and every space. */
  readonly text: string;
}

/** A state that a provider must be in: what its data is before the request. */
export interface ProviderState {
  readonly name: string;
  readonly params: JsonObject;
}

/** A body in a pact. */
export interface PactBody {
  /** What Pact sends, or compares a response with. JSON is as it is written in the pact, with exact numbers. */
  readonly text: string;
  /** The value of the text, with exact numbers; `undefined` if the text is not JSON. */
  readonly value: JsonValue | undefined;
  /** The duplicate keys; those of nested objects with slashes. */
  readonly duplicateKeys: readonly string[];
  readonly contentType: string | undefined;
}

/** What a request and a response in a pact share. */
export interface PactMessage {
  /** Names as written. A field with several values is listed once for each. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: PactBody | undefined;
  readonly matchingRules: JsonObject;
  /** Matches the patterns of the pact. */
  readonly patterns: Patterns;
  readonly generated: GeneratedValues;
}

/** One interaction of a pact: a request, and the response that the consumer expects. */
export interface PactInteraction {
  /** Its index in the file. */
  readonly index: number;
  readonly description: string;
  readonly states: readonly ProviderState[];
  readonly pending: boolean;
  readonly request: PactMessage & {
    readonly method: string;
    readonly path: string;
    readonly query: JsonValue | undefined;
  };
  readonly response: PactMessage & { readonly status: number };
  /** The interaction as it is in the file. */
  readonly raw: JsonObject;
}

/** A pact: what one consumer expects of one provider. */
export interface Pact {
  readonly consumer: string;
  readonly provider: string;
  /** The version of the Pact specification, such as `4.0`; `undefined` if the pact does not name it. */
  readonly specification: string | undefined;
  readonly interactions: readonly PactInteraction[];
  /** The plugins without which Pact cannot use it. */
  readonly plugins: readonly PactPlugin[];
  /** The types of its interactions that are not HTTP, each as often as it occurs. */
  readonly otherTypes: readonly string[];
}

const HTTP = 'Synchronous/HTTP';

/**
 * The JSON of a pact.
 *
 * @param pact a string, bytes, or a parsed object
 * @param where its name in an error
 * @throws ToolkitError `invalid-pact` if it cannot be JSON
 */
export function pactText(pact: string | Uint8Array | object, where: string): string {
  if (typeof pact === 'string') return pact;
  try {
    const bytes = bytesIn(pact);
    if (bytes !== undefined) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return writeJson(withBigints(pact as WritableJson));
  } catch (cause) {
    throw new ToolkitError('invalid-pact', `${where} is not a pact: ${(cause as Error).message}`, { cause });
  }
}

/** The upper end of int64 as a double: JSON.parse rounds 2^63 - 1 to 2^63. */
const ROUNDED_END = 2 ** 63;

/**
 * Integers beyond 2^53 as bigints, because `writeJson` rejects numbers that may have been rounded. Here the caller has
 * chosen to round them. Only the upper end of int64 must not become an integer beyond it.
 */
function withBigints(value: WritableJson): WritableJson {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? BigInt(value) - (value === ROUNDED_END ? 1n : 0n)
      : value;
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      member === undefined ? undefined : withBigints(member as WritableJson),
    ]),
  );
}

/** A pact whose parties are known, and whose interactions have not been read. */
interface OpenedPact {
  readonly consumer: string;
  readonly provider: string;
  /** @throws ToolkitError `invalid-pact`, with what is wrong and where */
  read(): Pact;
}

/**
 * Reads a pact of specification 2, 3 or 4 exactly.
 *
 * @param text its JSON
 * @param where its name in an error: a file or a URL
 * @throws ToolkitError `invalid-pact`, with what is wrong and where
 */
export function readPact(text: string, where: string): Pact {
  return openPact(text, where).read();
}

/** Reads the parties of a pact first: see {@link readPact}. */
export function openPact(text: string, where: string): OpenedPact {
  const wrong = (why: string): ToolkitError =>
    new ToolkitError('invalid-pact', `${where} is not a pact: ${why}`);
  const read = readJsonText(text);
  if (!read.ok) throw wrong(`it is not JSON: ${read.message}, at ${lineAndColumn(text, read.offset)}`);
  const root = read.value;
  if (!isObject(root)) throw wrong('it is not an object');
  const name = (role: 'consumer' | 'provider'): string => {
    const party = root[role];
    if (isObject(party) && typeof party.name === 'string' && party.name !== '') return party.name;
    throw wrong(`/${role}/name is not a string`);
  };
  const parties = { consumer: name('consumer'), provider: name('provider') };
  return {
    ...parties,
    read: () => ({
      ...parties,
      specification: specificationOf(root),
      plugins: pluginsOf(root),
      ...interactionsIn(root, text, wrong),
    }),
  };
}

function interactionsIn(
  { interactions, messages }: JsonObject,
  text: string,
  wrong: (why: string) => ToolkitError,
): Pick<Pact, 'interactions' | 'otherTypes'> {
  if (interactions === undefined && Array.isArray(messages))
    throw wrong('it has messages, but no interactions');
  if (!Array.isArray(interactions)) throw wrong('/interactions is not an array');
  const [spans, patterns] = [new JsonSpans(text), new Patterns()];
  const found: PactInteraction[] = [];
  const otherTypes: string[] = [];
  for (const [index, interaction] of interactions.entries()) {
    const at = `/interactions/${index}`;
    if (!isObject(interaction)) throw wrong(`${at} is not an object`);
    const { type = HTTP } = interaction;
    if (type === HTTP)
      found.push(
        interactionOf(interaction, { spans, patterns, index, wrong: (why) => wrong(`${at}${why}`) }),
      );
    else otherTypes.push(String(type));
  }
  return { interactions: found, otherTypes };
}

interface Place {
  readonly spans: JsonSpans;
  readonly patterns: Patterns;
  readonly index: number;
  wrong(why: string): ToolkitError;
}

function interactionOf(interaction: JsonObject, place: Place): PactInteraction {
  const { description, request, response, pending } = interaction;
  if (typeof description !== 'string') throw place.wrong('/description is not a string');
  if (!isObject(request)) throw place.wrong('/request is not an object');
  if (!isObject(response)) throw place.wrong('/response is not an object');
  const { method = 'GET', path = '/', query } = request;
  const { status = 200 } = response;
  if (typeof method !== 'string') throw place.wrong('/request/method is not a string');
  if (typeof path !== 'string') throw place.wrong('/request/path is not a string');
  if (typeof status !== 'number') throw place.wrong('/response/status is not a number');
  return {
    index: place.index,
    description,
    states: statesOf(interaction),
    pending: pending === true,
    request: { ...messageOf(request, 'request', place), method: method.toUpperCase(), path, query },
    response: { ...messageOf(response, 'response', place), status },
    raw: interaction,
  };
}

/** Specification 2 has one state, a string. Specifications 3 and 4 have an array of states with parameters. */
function statesOf({ providerState, providerStates }: JsonObject): ProviderState[] {
  if (Array.isArray(providerStates))
    return providerStates
      .filter(isObject)
      .map(({ name, params }) => ({ name: String(name), params: objectOf(params) }));
  const name = typeof providerStates === 'string' ? providerStates : providerState || undefined;
  return typeof name === 'string' ? [{ name, params: {} }] : [];
}

function messageOf(
  message: JsonObject,
  part: 'request' | 'response',
  { spans, patterns, index }: Place,
): PactMessage {
  const { headers, matchingRules, generators } = message;
  const fields = Object.entries(objectOf(headers)).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value) => [name, String(value)] as const),
  );
  return {
    headers: fields,
    body: bodyOf(message.body, fields, (...inside) =>
      spans.textAt(['interactions', index, part, 'body', ...inside]),
    ),
    matchingRules: objectOf(matchingRules),
    patterns,
    generated: new GeneratedValues(objectOf(generators)),
  };
}

function bodyOf(
  body: JsonValue | undefined,
  headers: PactMessage['headers'],
  written: (...inside: string[]) => string | undefined,
): PactBody | undefined {
  if (body === undefined || body === null) return undefined;
  const [declared] = headerValues(headers, 'content-type');
  const { content = null, contentType, encoded = false } = isWrapped(body) ? body : { content: body };
  // A string is the text of a body that may be JSON or not, or its bytes.
  const isBytes = encoded === 'base64';
  const text =
    typeof content === 'string'
      ? Buffer.from(content, isBytes ? 'base64' : 'utf8').toString()
      : (written(...(isWrapped(body) ? ['content'] : [])) ?? '');
  const read = readJsonText(text);
  return {
    text,
    value: read.ok ? read.value : undefined,
    duplicateKeys: read.ok ? read.duplicateKeys.map((pointer) => pointer.slice(1)) : [],
    contentType: typeof contentType === 'string' ? contentType : declared,
  };
}

/** Whether a body has the form of V4: its value, its text or its bytes are in `content`. */
export function isWrapped(body: JsonValue | undefined): body is JsonObject {
  return isObject(body) && 'content' in body && ('contentType' in body || 'encoded' in body);
}

function pluginsOf({ metadata }: JsonObject): PactPlugin[] {
  const { plugins } = objectOf(metadata);
  if (!Array.isArray(plugins)) return [];
  return plugins.map((plugin, index) => ({ name: String(objectOf(plugin).name), index }));
}

function specificationOf(root: JsonObject): string | undefined {
  const metadata = objectOf(root.metadata);
  const version =
    objectOf(metadata.pactSpecification).version ??
    objectOf(metadata['pact-specification']).version ??
    metadata.pactSpecificationVersion;
  return typeof version === 'string' ? version : undefined;
}

/** A part of a message that may have generators. */
type GeneratedPart = 'body' | 'header' | 'query';

/** The values of a message that generators replace when the pact is used, so that those in the pact do not matter. */
class GeneratedValues {
  private readonly names: Readonly<Record<GeneratedPart, ReadonlySet<string>>>;

  constructor(generators: JsonObject) {
    const namesIn = (part: GeneratedPart): ReadonlySet<string> =>
      new Set(Object.keys(objectOf(generators[part])).map(nameIn));
    this.names = { body: namesIn('body'), header: namesIn('header'), query: namesIn('query') };
  }

  /**
   * Whether a generator replaces a value. A generator for a part of a value counts as one for the whole value.
   *
   * @param field a field of the body, a header, or a parameter
   */
  has(part: GeneratedPart, field: string): boolean {
    const names = this.names[part];
    return names.has('*') || names.has(field.toLowerCase());
  }
}

/** The first name in the path of a generator, in lower case; a star for the whole part. */
function nameIn(path: string): string {
  const [name = '*'] = path.replace(/^\$/, '').match(/[^.[\]'"]+/) ?? [];
  return name.toLowerCase();
}
