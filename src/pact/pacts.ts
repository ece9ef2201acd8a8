import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readWithin } from '../http/collected-bytes.js';
import { type Fields, headerValues } from '../http/fields.js';
import { limitInWords, limits } from '../http/limits.js';
import { reasonOf, ToolkitError } from '../toolkit-error.js';
import { readJsonText, writeJson } from '../validation/json.js';
import { lineAndColumn } from '../validation/json-file.js';
import { isObject, type JsonObject, type JsonValue, objectOf } from '../validation/json-value.js';

/** The name of the provider in pacts, unless the user gives another. */
export const PROVIDER = 'plant-store';

/** The pacts in files. */
export interface FoundPacts {
  readonly pacts: readonly {
    readonly where: string;
    /** As it was written: every digit and every space. */
    readonly text: string;
    readonly pact: Pact;
  }[];
  /** Why others cannot be used: sentences without their ends. */
  readonly unread: readonly string[];
  /** Which pacts are with other providers, and so not used: sentences without their ends. */
  readonly leftOut: readonly string[];
}

/**
 * Reads the pacts with one provider. A consumer usually has pacts with several providers in one folder. The interactions of
 * the others are not read. A file that cannot be read does not hide the others.
 *
 * @param paths a folder gives the `.json` files in it, in the order of their names. A file that several paths name is read
 *   once
 */
export async function pactsIn(paths: readonly string[], provider: string): Promise<FoundPacts> {
  const pacts: FoundPacts['pacts'][number][] = [];
  const unread: string[] = [];
  const leftOut: string[] = [];
  const files = new Map<string, string>();
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (one) => one.isDirectory(),
      () => false,
    );
    const names = isFolder ? (await readdir(path)).filter((name) => name.endsWith('.json')) : [];
    if (isFolder && names.length === 0) unread.push(`the folder ${path} has no .json file`);
    const inFolder = names.sort().map((name) => join(path, name));
    for (const file of isFolder ? inFolder : [path])
      if (!files.has(resolve(file))) files.set(resolve(file), file);
  }
  for (const where of files.values()) {
    try {
      const text = await textOf(where);
      const pact = readPact(text, where, provider);
      if (pact.provider !== provider) leftOut.push(`${where} is a pact with "${pact.provider}"`);
      else if (pact.interactions.length === 0) unread.push(`${where} has no interaction`);
      else pacts.push({ where, text, pact });
    } catch (cause) {
      const why = reasonOf(cause);
      unread.push(cause instanceof ToolkitError ? why : `cannot read a pact from ${where}: ${why}`);
    }
  }
  return { pacts, unread, leftOut };
}

/** It is read piece by piece: the size of a pipe is unknown. */
async function textOf(file: string): Promise<string> {
  const bytes = await readWithin(createReadStream(file), limits.pact);
  if (bytes === undefined) throw new Error(`it is longer than ${limitInWords(limits.pact)}`);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/**
 * Checks that there is a pact to use.
 *
 * @throws ToolkitError which names everything that is wrong: `no-pact`, or `wrong-provider` if all are about others
 */
export function checkAny(provider: string, { pacts, unread, leftOut }: FoundPacts): void {
  if (pacts.length > 0) return;
  if (unread.length > 0) throw new ToolkitError('no-pact', unread.join('; '));
  if (leftOut.length === 0) throw new ToolkitError('no-pact', 'name at least one pact: a file or a folder');
  throw new ToolkitError(
    'wrong-provider',
    `there is no pact with "${provider}": ${leftOut.join('; ')}. If one of these names is right, name the provider.`,
  );
}

/** A state that a provider must be in: what its data is before the request. */
interface ProviderState {
  readonly name: string;
  readonly params: JsonObject;
}

/** A body in a pact. */
interface PactBody {
  readonly text: string;
  /** The value of the text, with exact numbers; `undefined` if the text is not JSON. */
  readonly value: JsonValue | undefined;
  /** The type that a body of V4 has beside its content. */
  readonly contentType: string | undefined;
}

/** What a request and a response in a pact share. */
export interface PactMessage {
  /** Names as written. A field with several values is listed once for each. */
  readonly headers: Fields;
  /** `null` if the pact says that there is none, `undefined` if it says nothing. */
  readonly body: PactBody | null | undefined;
  /** The values that a generator replaces when the pact is used, so that those in the pact do not matter. */
  readonly generated: (part: Part, name: string) => boolean;
  /** The matching rule for a value, which need not be equal then. */
  readonly rule: (part: Part, name: string) => MatchingRule | undefined;
}

/** One interaction of a pact: a request, and the response that the consumer expects. The same for V1 to V4. */
export interface PactInteraction {
  readonly description: string;
  readonly states: readonly ProviderState[];
  readonly pending: boolean;
  readonly request: PactMessage & {
    readonly method: string;
    readonly path: string;
  };
  readonly response: PactMessage & {
    readonly status: number;
    /** The statuses that satisfy the interaction: this one, or those that its matching rule accepts. */
    readonly statuses: readonly number[];
  };
}

/** A pact: what one consumer expects of one provider. */
export interface Pact {
  readonly consumer: string;
  readonly provider: string;
  readonly interactions: readonly PactInteraction[];
}

/**
 * Reads a pact of specification 1 to 4 exactly.
 *
 * @param text its JSON
 * @param where its name in an error: a file or a URL
 * @param provider of a pact with another provider, the interactions are not read: they may be of any kind
 * @throws ToolkitError `invalid-pact`, with what is wrong and where
 */
export function readPact(text: string, where: string, provider?: string): Pact {
  const wrong = (why: string): ToolkitError =>
    new ToolkitError('invalid-pact', `${where} is not a pact: ${why}`);
  const json = readJsonText(text);
  if (!json.ok) throw wrong(`it is not JSON: ${json.message}, at ${lineAndColumn(text, json.offset)}`);
  const { value: root } = json;
  if (!isObject(root)) throw wrong('it is not an object');
  const name = (role: 'consumer' | 'provider'): string => {
    const party = root[role];
    if (isObject(party) && typeof party.name === 'string' && party.name !== '') return party.name;
    throw wrong(`/${role}/name is not a string`);
  };
  const pact = { consumer: name('consumer'), provider: name('provider') };
  if (provider !== undefined && pact.provider !== provider) return { ...pact, interactions: [] };
  const { interactions } = root;
  if (!Array.isArray(interactions)) throw wrong('/interactions is not an array');
  return {
    ...pact,
    interactions: interactions.map((interaction, at) =>
      interactionOf(interaction, (why) => wrong(`/interactions/${at}${why}`)),
    ),
  };
}

function interactionOf(interaction: JsonValue, wrong: (why: string) => ToolkitError): PactInteraction {
  if (!isObject(interaction)) throw wrong(' is not an object');
  const { type = 'Synchronous/HTTP', description, request, response, pending } = interaction;
  if (type !== 'Synchronous/HTTP') throw wrong(`/type is not Synchronous/HTTP, but ${String(type)}`);
  if (typeof description !== 'string') throw wrong('/description is not a string');
  if (!isObject(request)) throw wrong('/request is not an object');
  if (!isObject(response)) throw wrong('/response is not an object');
  const { method = 'GET', path = '/' } = request;
  const { status = 200 } = response;
  if (typeof method !== 'string') throw wrong('/request/method is not a string');
  if (typeof path !== 'string') throw wrong('/request/path is not a string');
  if (typeof status !== 'number') throw wrong('/response/status is not a number');
  const statuses = statusesFor(status, objectOf(response.matchingRules));
  return {
    description,
    states: statesOf(interaction),
    pending: pending === true,
    request: { ...messageOf(request), method: method.toUpperCase(), path },
    response: { ...messageOf(response), status, statuses },
  };
}

/** Specifications 1 and 2 have one state, a string. Specifications 3 and 4 have an array of states with parameters. */
function statesOf({ provider_state, providerState, providerStates }: JsonObject): ProviderState[] {
  if (Array.isArray(providerStates))
    return providerStates
      .filter(isObject)
      .map(({ name, params }) => ({ name: String(name), params: objectOf(params) }));
  const names = [providerStates, providerState, provider_state];
  const name = names.find((one): one is string => typeof one === 'string' && one !== '');
  return name === undefined ? [] : [{ name, params: {} }];
}

function messageOf({ headers, body, matchingRules, generators }: JsonObject): PactMessage {
  const generator = about(objectOf(generators));
  const rules = about(objectOf(matchingRules));
  return {
    headers: Object.entries(objectOf(headers)).flatMap(([name, values]) =>
      (Array.isArray(values) ? values : [values]).map((value) => [name, String(value)] as const),
    ),
    body: bodyOf(body),
    generated: (part, name) => generator(part, name) !== undefined,
    rule(part, name) {
      const rule = rules(part, name);
      const isAny = String(objectOf(rule).combine).toUpperCase() === 'OR';
      return rule === undefined ? undefined : { matchers: matchersIn(rule), isAny };
    },
  };
}

function bodyOf(body: JsonValue | undefined): PactBody | null | undefined {
  if (body === undefined || body === null) return body;
  const { content = null, contentType: type, encoded = false } = isWrapped(body) ? body : { content: body };
  const contentType = typeof type === 'string' ? type : undefined;
  if (typeof content !== 'string') return { text: writeJson(content), value: content, contentType };
  // A string is the text of a body that may be JSON or not, or its bytes.
  const text = Buffer.from(content, encoded === 'base64' ? 'base64' : 'utf8').toString();
  const read = readJsonText(text);
  return { text, value: read.ok ? read.value : undefined, contentType };
}

/** Whether a body has the form of V4: its value, its text or its bytes are in `content`. */
function isWrapped(body: JsonValue | undefined): body is JsonObject {
  return isObject(body) && 'content' in body && ('contentType' in body || 'encoded' in body);
}

/** The type that a message says its body has, in its header. */
export function mediaTypeOf({ headers }: PactMessage): string | undefined {
  return headerValues(headers, 'content-type')[0];
}

/** The parts of a message with names: the fields of its body, and its headers. */
type Part = 'body' | 'header';

/** What Pact accepts instead of an equal value. */
export interface MatchingRule {
  readonly matchers: readonly JsonObject[];
  /** Whether it is enough that one of them accepts a value. */
  readonly isAny: boolean;
}

/**
 * What is about a part of a value counts for the whole value, and what is about the whole body for each of its fields, unless
 * the field has its own.
 *
 * @param entries matching rules or generators, as a pact has them
 */
function about(entries: JsonObject): (part: Part, name: string) => JsonValue | undefined {
  const named = Object.entries(entries).flatMap(([key, entry]) => {
    // In V2, a path begins with the part of the message: `$.body.name`, `$.headers.Accept`.
    const [, part, path] = /^\$\.(body|header)s?(.*)$/s.exec(key) ?? [];
    if (part !== undefined) return [[`${part} ${nameIn(path)}`, entry] as const];
    const paths = Object.entries(objectOf(entry));
    return paths.map(
      ([path, one]) => [`${key === 'headers' ? 'header' : key} ${nameIn(path)}`, one] as const,
    );
  });
  const byName = new Map(named);
  return (part, name) => byName.get(`${part} ${name.toLowerCase()}`) ?? byName.get(`${part} *`);
}

/** The first name in a path, in lower case; a star for the whole part. */
function nameIn(path = ''): string {
  const [name = '*'] = path.replace(/^\$/, '').match(/[^.[\]'"]+/) ?? [];
  return name.toLowerCase();
}

/** One matcher, or a list of matchers. */
function matchersIn(rule: JsonValue | undefined): JsonObject[] {
  const { matchers = rule } = objectOf(rule);
  return (Array.isArray(matchers) ? matchers : [matchers]).filter(isObject);
}

const STATUSES = Array.from({ length: 500 }, (_, at) => at + 100);

/** The status classes of V4, by the first digits of their statuses. */
const CLASSES: ReadonlyMap<unknown, string> = new Map([
  ['info', '1'],
  ['success', '2'],
  ['redirect', '3'],
  ['clientError', '4'],
  ['serverError', '5'],
  ['nonError', '123'],
  ['error', '45'],
]);

function statusesFor(example: number, { status, '$.status': old }: JsonObject): readonly number[] {
  const [matcher] = matchersIn(objectOf(status).$ ?? status ?? old);
  if (matcher === undefined || matcher.match === 'equality') return [example];
  const { status: accepted } = matcher;
  // Another matcher, or a class that is unknown here, may accept anything.
  const digits = CLASSES.get(accepted) ?? '12345';
  return STATUSES.filter((one) =>
    Array.isArray(accepted) ? accepted.includes(one) : digits.includes(String(one).charAt(0)),
  );
}

/**
 * Ids for the interactions of one report: each is readable, unique, and the same in every run.
 *
 * @returns gives the id of the next interaction, of a consumer if there are several: `a creation, given no plant with id (garden)`
 */
export function caseIds() {
  const uses = new Map<string, number>();
  const unused = (id: string): string => {
    const number = (uses.get(id) ?? 0) + 1;
    uses.set(id, number);
    return number === 1 ? id : unused(`${id} (${number})`);
  };
  return (
    { description, states }: { readonly description: string; readonly states: readonly string[] },
    consumer?: string,
  ): string => {
    const given = states.length === 0 ? '' : `, given ${states.join(' and ')}`;
    return unused(`${description}${given}${consumer === undefined ? '' : ` (${consumer})`}`);
  };
}
