import { gzipSync } from 'node:zlib';
import { definedOnly } from '../defined-only.js';
import type { Secret } from '../report/redaction.js';
import type { NewPlant } from '../spec/types.js';
import { narrow } from '../validation/json-value.js';
import type { Fields, ProbeRequest } from './exchange.js';
import { classify, plantMeantBy } from './oracle.js';
import type { ControlName, Phase, Probe, ProbeValues, RequestRow, Row } from './probe.js';
import { type FilledIn, Filler, type IdBounds, type Template } from './template.js';

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
const WITHOUT_CONTROL: ReadonlySet<Phase> = new Set<Phase>(['control', 'afterwards']);

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
