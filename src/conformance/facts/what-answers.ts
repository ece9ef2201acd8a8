import { headerValues } from '../../http/fields.js';
import { excerpt } from '../../report/body.js';
import { isObject } from '../../validation/json-value.js';
import { quoted } from '../../validation/violation.js';
import { type Exchange, isAccepted, type ProviderResponse } from '../exchange.js';
import { decodedBody, jsonOf } from '../response-body.js';
import { emptyRequest } from '../topics/plain/rows.js';

/**
 * Whether something else than a provider may have accepted the plain plants: no response has a name, or anything of its
 * plant. A response without a body shows nothing.
 */
export function maySeemNoProvider(exchanges: readonly Exchange[]): boolean {
  const accepted = exchanges.filter((one) => one.expectation === 'created' && isAccepted(one));
  return accepted.length > 0 && accepted.every(showsNoPlant);
}

function showsNoPlant({ request: { plant }, response }: Exchange): boolean {
  if (response === undefined || response.received === 0) return false;
  const read = jsonOf(response);
  if (read.ok && isObject(read.value) && Object.hasOwn(read.value, 'name')) return false;
  const text = textOf(response);
  return plant === undefined || ![plant.name, String(plant.id)].some((value) => text.includes(value));
}

/**
 * What answers in place of a provider, if every request got the same: plain plants, and one without a token and without a
 * body, which every provider rejects.
 *
 * @returns the end of a sentence
 */
export function answersEverything(exchanges: readonly Exchange[]): string | undefined {
  const sign = exchanges.find(({ probe }) => probe === emptyRequest.name)?.response;
  if (sign === undefined) return undefined;
  const others = exchanges.flatMap(({ expectation, response }) =>
    expectation === 'created' ? (response ?? []) : [],
  );
  if (others.length === 0 || !others.every((response) => kindOf(response) === kindOf(sign))) return undefined;
  const what = pageIn(sign) ?? excerpt(textOf(sign));
  return `everything gets ${sign.status} with ${what}, even a request without a token and without a body. Is the base URL right? /plants is appended to it`;
}

/** What is the same in responses of one kind. Pages often contain a time or a random number, and so do values. */
function kindOf(response: ProviderResponse): string {
  const read = jsonOf(response);
  const content =
    pageIn(response) ??
    (read.ok && isObject(read.value) ? JSON.stringify(Object.keys(read.value)) : textOf(response));
  return `${response.status} ${content}`;
}

/** A web page in words: `a web page (text/html, "Welcome to nginx!")`. `undefined`: it is none. */
export function pageIn(response: ProviderResponse): string | undefined {
  const text = textOf(response);
  if (!(isHtml(response) ? /^\s*</ : /^\s*<(?:!doctype html|html)\b/i).test(text)) return undefined;
  const mediaType = headerValues(response.headers, 'content-type')[0]?.split(';')[0]?.trim();
  const title = /<title[^<>]*>([^<]*)</i.exec(text)?.[1]?.replaceAll(/\s+/g, ' ').trim();
  const known = [mediaType || 'no Content-Type', ...(title ? [quoted(title)] : [])];
  return `a web page (${known.join(', ')})`;
}

/** Whether the media type is that of a web page. */
function isHtml({ headers }: ProviderResponse): boolean {
  return headerValues(headers, 'content-type').some((type) =>
    /^\s*(?:text\/html|application\/xhtml)/i.test(type),
  );
}

function textOf(response: ProviderResponse): string {
  const decoded = decodedBody(response);
  return typeof decoded === 'string' ? '' : Buffer.from(decoded).toString();
}
