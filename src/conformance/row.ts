import { gzipSync } from 'node:zlib';
import { definedOnly } from '../defined-only.js';
import type { Secret } from '../report/redaction.js';
import type { NewPlant } from '../spec/types.js';
import { narrow } from '../validation/json-value.js';
import type { Expectation, Fields, ProbeRequest, RequestShape } from './exchange.js';
import { classify, plantMeantBy } from './oracle.js';
import { type FilledIn, Filler, type IdBounds, type ProbeValues, type Template } from './template.js';

/**
 * When a probe is sent. The order protects the later probes from the earlier ones. Controls are first, because
 * every verdict depends on them. Valid requests follow, before an invalid request can disturb the provider. Probes of house
 * rules may send anything, so they come after those of the interface. Wrong tokens are late, because a provider may lock
 * the client out. What is deep or very long is last: it may stop the provider.
 */
export const PHASES = [
  ...(['control', 'valid', 'invalid', 'recovery', 'state', 'house'] as const),
  ...(['wrong-token', 'heavy'] as const),
];

/** When a probe is sent: one of {@link PHASES}. */
export type Phase = (typeof PHASES)[number];

/** The names of the probes that are controls of other probes. */
export type ControlName = 'plain-plant' | 'plain-plant-with-tag' | 'id-near-upper-end' | 'id-near-lower-end';

/** A request as plain data. */
export interface RequestRow extends RequestShape {
  /** Default: those that the interface requires, with the right token. */
  readonly headers?: Fields | undefined;
  readonly body: string;
  /** How the bytes of the body are made of its text. Default: UTF-8. */
  readonly encoding?: 'gzip' | 'utf-16le' | undefined;
  /**
   * The plant that must come back if the request is accepted. Default: the one that the body means, if it is a NewPlant.
   * `false`: another plant may come back.
   */
  readonly plant?: false | { readonly name: string; readonly id: string; readonly tag?: string } | undefined;
}

/** What a rule has sent: one request, or a short sequence. As plain data, it is drawn, made smaller, and shown as JSON. */
export interface Row {
  readonly name: string;
  /** What is sent, as a noun: "a plant without a name". */
  readonly title: string;
  /** The expected response to its requests, unless a request has its own expectation. */
  readonly expectation: Expectation;
  /** The ids of the rules that it is sent for, beside that which owns it. */
  readonly rules?: readonly string[] | undefined;
  /** Default: `invalid` if its requests must be rejected, and `valid` if not. */
  readonly phase?: Phase | undefined;
  /**
   * The row that differs only in the thing that is tried. If its request must be accepted and is not, this row proves nothing. If
   * its request may be rejected and is, this row does not apply. Default: a plain plant, with a tag if the first body has one.
   * `false`: none.
   */
  readonly control?: ControlName | false | undefined;
  /** Whether its requests are sent at the same time. Default: one after the other. */
  readonly together?: boolean | undefined;
  /** Whether no other request may be under way meanwhile. Those of the phases `control`, `recovery` and `heavy` are alone. */
  readonly alone?: boolean | undefined;
  /** Whether every check sends it before all others: what it shows is the most important. */
  readonly early?: boolean | undefined;
  /** Whether its requests use one connection, if the provider keeps it open. */
  readonly oneConnection?: boolean | undefined;
  /** Whether its requests are hostile, or hardly any client sends them: if the provider fails on them, that is a warning. */
  readonly rare?: boolean | undefined;
  /**
   * What a client may reasonably send, as the subject of a sentence: "a name with a space". If the provider rejects it, as it may, the
   * report says so.
   */
  readonly reasonable?: string | undefined;
  /** Another row that means the same to some programs: if the provider accepts that one, as it may, it may accept this one. */
  readonly excusedBy?: string | undefined;
  /** Whether a provider may take it for another operation, whose responses are not shown. Then only a plant shows that it created one. */
  readonly mayBeOtherOperation?: boolean | undefined;
  /** The bounds of its fresh ids, as decimal digits. */
  readonly ids?: readonly [low: string, high: string] | undefined;
  /** What is sent if the provider does not accept its only request, to see which part it is about. */
  readonly parts?: readonly Row[] | undefined;
  /** The requests in the order in which they are sent. */
  readonly requests: readonly RequestRow[];
}

/** A row with its defaults filled in. */
export interface Probe extends Row {
  readonly phase: Phase;
  readonly control?: ControlName;
  readonly parts?: readonly Probe[];
}

/**
 * The phases whose probes are alone: every other probe depends on controls, a valid request must follow an invalid one, and it
 * must be clear which request stopped the provider.
 */
const ALONE: ReadonlySet<Phase> = new Set<Phase>(['control', 'recovery', 'heavy']);

/** Whether a provider may have locked the client out before the probes of a phase, or while they are sent. */
export function isAfterWrongTokens(phase: Phase | undefined): boolean {
  return phase !== undefined && PHASES.indexOf(phase) >= PHASES.indexOf('wrong-token');
}

/** Whether no other request may be under way while a probe is sent. */
export function isAlone({ alone, phase }: Probe): boolean {
  return alone ?? ALONE.has(phase);
}

/** Whether a provider may accept the requests of a probe. An invalid request must not succeed at all. */
export function mayBeAccepted({ expectation }: Probe): boolean {
  return expectation !== 'rejected';
}

/** Whether a probe sends valid plants, perhaps beside other requests. */
export function sendsValidPlants({ phase, expectation }: Probe): boolean {
  return expectation !== 'rejected' || phase === 'recovery' || phase === 'state';
}

/** The id of a house rule, or the name of a probe of one. No rule and no probe of the interface begins like this. */
export type HouseId = `house/${string}`;

/** Whether a probe of this name belongs to house rules. */
export function isHouseProbe(name: string): boolean {
  return name.startsWith('house/');
}

/** Whether a row of this name was drawn, and is not one of those that there are. */
export function isDrawn(name: string): boolean {
  return name.startsWith('drawn/');
}

/** Fills in the defaults of a row. */
export function probeOf(row: Row): Probe {
  const { phase = row.expectation === 'rejected' ? 'invalid' : 'valid' } = row;
  const { control = controlOf(row, phase), parts, ...others } = row;
  return {
    ...others,
    phase,
    ...(control !== false && { control }),
    ...(parts !== undefined && { parts: parts.map(probeOf) }),
  };
}

/** The row of a probe, without its defaults. */
export function rowOf({ phase, control, parts: _, ...others }: Probe): Row {
  const usual = probeOf({ ...others, phase });
  return {
    ...others,
    ...(phase !== probeOf(others).phase && { phase }),
    ...(control !== usual.control && { control: control ?? false }),
  };
}

/** The phases whose probes depend on no other. */
const WITHOUT_CONTROL: ReadonlySet<Phase> = new Set<Phase>(['control']);

function controlOf({ expectation, requests: [first] }: Row, phase: Phase): ControlName | false {
  if (WITHOUT_CONTROL.has(phase)) return false;
  const hasTag = expectation !== 'rejected' && first !== undefined && classify(first.body).hasTag === true;
  return hasTag ? 'plain-plant-with-tag' : 'plain-plant';
}

/** A body with one id that is not calculated. */
const PLAIN_ID = /^(?:(?!<ID).)*<ID>(?:(?!<ID).)*$/s;

/** Makes the requests of a row, with new names and ids each time. None, if the token does not allow them. */
export function requestsOf({ requests, ids }: Row, values: ProbeValues): readonly ProbeRequest[] {
  const bounds: IdBounds | undefined = ids && [BigInt(ids[0]), BigInt(ids[1])];
  const filler = new Filler(values, bounds);
  const made: ProbeRequest[] = [];
  for (const row of requests) {
    const request = requestFrom(row, filler, values.token);
    if (request === undefined) return [];
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
    ...(headers.some(([, template]) => template.includes('<HEX ')) && { hasNumbers: true }),
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
