import { gzipSync } from 'node:zlib';
import { definedOnly } from '../defined-only.js';
import type { Secret } from '../report/redaction.js';
import type { NewPlant } from '../spec/types.js';
import { narrow } from '../validation/json-value.js';
import type { Expectation, Fields, ProbeRequest, Transfer } from './exchange.js';
import { classify, plantMeantBy } from './oracle.js';
import type { ControlName, GeneratedName, Phase, Probe, ProbeValues } from './probe.js';
import { type FilledIn, Filler, type IdBounds, type Template } from './template.js';

/** A request as plain data. */
export interface RequestRow {
  /** Default: those that the interface requires, with the right token. */
  readonly headers?: readonly (readonly [name: string, value: Template])[];
  readonly body: Template;
  /** How the bytes of the body are made of its text. Default: UTF-8. */
  readonly encoding?: 'gzip' | 'utf-16le';
  /**
   * The plant that must come back if the request is accepted. Default: the one that the body means, if it is a NewPlant.
   * `false`: another plant may come back.
   */
  readonly plant?: false | PlantTemplate;
  /** Default: the expectation of the row. */
  readonly expectation?: Expectation;
  readonly idMayExist?: true;
  readonly query?: Template;
  readonly otherOperation?: ProbeRequest['otherOperation'];
  readonly isUnusual?: true;
  readonly chunked?: true;
  readonly withoutUserAgent?: true;
  readonly transfer?: Transfer;
}

/** A plant as templates. */
export interface PlantTemplate {
  readonly name: Template;
  readonly id: Template;
  readonly tag?: Template;
}

/** A probe as plain data: it can be written in a table, drawn, made smaller, saved, and read again. */
export interface Row<Name extends string = string> {
  readonly name: Name;
  /** What is sent, as a noun: "a plant without a name". */
  readonly title: string;
  readonly expectation: Expectation;
  /** The ids of the rules that it is sent for. */
  readonly rules?: readonly string[];
  /** Default: `invalid` if its requests must be rejected, and `valid` if not. */
  readonly phase?: Phase;
  /** Default: a plain plant, with a tag if the first body has one. `false`: none. */
  readonly control?: ControlName | false;
  readonly together?: true;
  readonly alone?: true;
  readonly oneConnection?: true;
  readonly rare?: true;
  /** The bounds of its fresh ids, as decimal digits. */
  readonly ids?: readonly [low: string, high: string];
  readonly requests: readonly RequestRow[];
}

/** A row of every check. */
export interface CoreRow<Name extends string = string> extends Row<Name> {
  /** What is sent if the provider does not accept its only request, to see which part it is about. */
  readonly parts?: readonly Row<GeneratedName>[];
  /** It is sent only if the provider rejects a name or a tag of a bundle. It then shows which ones. */
  readonly ifRejected?: 'name' | 'tag';
}

/** A row that exploring draws, or has saved. */
export type DrawnRow = Row<GeneratedName>;

/** Makes a probe of a row. */
export function probeOf<Name extends string>(row: CoreRow<Name>): Probe<Name> {
  const {
    name,
    title,
    expectation,
    rules = [],
    together,
    alone,
    oneConnection,
    rare,
    ifRejected,
    parts,
  } = row;
  const { phase = expectation === 'rejected' ? 'invalid' : 'valid' } = row;
  const { control = controlOf(row, phase) } = row;
  return {
    ...{ name, title, expectation, rules, phase },
    ...(control !== false && { control }),
    ...definedOnly({ together, alone, oneConnection, rare, ifRejected }),
    ...(parts !== undefined && { parts: parts.map((part) => probeOf(part)) }),
    requests: (values) => requestsOf(row, values) ?? [],
  };
}

/** The phases whose probes depend on no other. */
const WITHOUT_CONTROL: ReadonlySet<Phase> = new Set<Phase>(['control', 'afterwards']);

function controlOf({ expectation, requests: [first] }: Row, phase: Phase): ControlName | false {
  if (WITHOUT_CONTROL.has(phase)) return false;
  const hasTag = expectation !== 'rejected' && first !== undefined && classify(first.body).hasTag === true;
  return hasTag ? 'plain-plant-with-tag' : 'plain-plant';
}

/** A body with one id that is not calculated. */
const PLAIN_ID = /^(?:(?!<ID).)*<ID>(?:(?!<ID).)*$/s;

/** @returns `undefined` if the token does not allow the row */
function requestsOf({ requests, ids }: Row, values: ProbeValues): readonly ProbeRequest[] | undefined {
  const bounds: IdBounds | undefined = ids && [BigInt(ids[0]), BigInt(ids[1])];
  const filler = new Filler(values, bounds);
  const made: ProbeRequest[] = [];
  for (const row of requests) {
    const request = requestFrom(row, filler, values.token);
    if (request === undefined) return undefined;
    made.push(bounds === undefined && PLAIN_ID.test(row.body) ? { ...request, hasPlainId: true } : request);
  }
  return made;
}

function requestFrom(row: RequestRow, filler: Filler, token: string): ProbeRequest | undefined {
  const { headers = PROPER_HEADERS, encoding, query, expectation, idMayExist, otherOperation } = row;
  const { isUnusual, chunked, withoutUserAgent, transfer } = row;
  const secrets = new Map<string, Required<Secret>>();
  const filledIn = (template: Template): FilledIn | undefined => {
    const made = filler.fillIn(template);
    for (const secret of made?.secrets ?? []) secrets.set(secret.value, secret);
    return made;
  };
  const text = (template: Template): string | undefined => filledIn(template)?.content.toString();
  const body = filledIn(row.body);
  if (body === undefined) return undefined;
  const fields: Fields[number][] = [];
  for (const [name, template] of headers) {
    const value = text(template);
    if (value === undefined) return undefined;
    // By chance, a wrong token may be the right one.
    if (name === 'Authorization' && value === `Bearer ${token}` && !template.includes('<TOKEN'))
      return undefined;
    fields.push([name, value]);
  }
  const queryText = query === undefined ? undefined : text(query);
  if (query !== undefined && queryText === undefined) return undefined;
  const plant = plantOf(row, body.content, text);
  const hasDigits = body.id !== undefined && encoding === undefined;
  const id = hasDigits ? (plant?.id ?? narrow(body.id)) : undefined;
  return {
    headers: fields,
    body: encoded(body.content, encoding),
    ...(secrets.size > 0 && { secrets: [...secrets.values()] }),
    ...definedOnly({ id, plant, query: queryText }),
    ...definedOnly({ expectation, idMayExist, otherOperation, isUnusual }),
    ...definedOnly({ chunked, withoutUserAgent, transfer }),
  };
}

/** The body of the plainest plant, and of the same with a tag. */
export const PLAIN_PLANT = '{"name":"<NAME>","id":<ID>}';
export const PLAIN_PLANT_WITH_TAG = '{"name":"<NAME>","id":<ID>,"tag":"succulent"}';

/** The headers that the interface requires. */
export const PROPER_HEADERS = [
  ['Authorization', 'Bearer <TOKEN>'],
  ['Content-Type', 'application/json'],
] as const satisfies RequestRow['headers'];

function plantOf(
  { plant }: RequestRow,
  content: string | Buffer,
  text: (template: Template) => string | undefined,
): NewPlant | undefined {
  if (plant === false) return undefined;
  if (plant === undefined) return typeof content === 'string' ? plantMeantBy(content) : undefined;
  return {
    name: text(plant.name) ?? '',
    id: narrow(BigInt(text(plant.id) ?? 0)),
    ...(plant.tag !== undefined && { tag: text(plant.tag) ?? '' }),
  };
}

function encoded(content: string | Buffer, encoding: RequestRow['encoding']): Buffer {
  if (encoding === 'gzip') return gzipSync(content);
  if (encoding === undefined || typeof content !== 'string') return Buffer.from(content as string);
  return Buffer.from(content, 'utf16le');
}

/** The words of a text, which stand for a list. */
export function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** The items of a text, each once, with two spaces or more between them, or a line break. */
export function items(text: string): readonly string[] {
  return [...new Set(text.split(/ {2,}|\n */))].filter((item) => item !== '');
}
