import type { Fields } from '../../conformance/exchange.js';
import { parseBearer } from '../../validation/bearer.js';
import { headerValues } from '../../validation/message.js';
import type { Loss } from '../stored-message.js';

/** What tools put in the place of a token. */
const REDACTED = /redact|sanitis|sanitiz|removed|hidden|filtered|scrubbed|\*{3}|…|•/i;

/** The headers that Chrome leaves out of the HAR which it exports unless it is told otherwise. */
const SENSITIVE = new Set(['authorization', 'cookie', 'set-cookie']);

/**
 * Whether a HAR is one from which Chrome has left out what is secret. It does not say so: what is told is that it
 * comes from there, and that no header of that kind is in it anywhere.
 *
 * @param creator who wrote it
 * @param fields of every request and response
 */
export function isSanitized(creator: string | undefined, fields: Fields): boolean {
  return creator === 'WebInspector' && !fields.some(([name]) => SENSITIVE.has(name.toLowerCase()));
}

/** What a HAR does not tell of the `Authorization` of a request. */
export function authorizationLosses(headers: Fields, sanitized: boolean): Loss[] {
  const values = headerValues(headers, 'authorization');
  if (sanitized && values.length === 0)
    return [loss('Chrome leaves the Authorization header out, unless it exports "with sensitive data"')];
  const isReplaced = values.some((value) => REDACTED.test(value) && !parseBearer(value.trim()).ok);
  return isReplaced ? [loss('the value of Authorization was replaced in the HAR')] : [];
}

function loss(why: string): Loss {
  return { part: 'header', pointer: '/authorization', why };
}
