import { type HeaderFields, headerValues } from '../../http/fields.js';
import type { Behaviour } from '../behaviour.js';
import type { OutgoingResponse } from '../exchange.js';
import { usualError } from '../rejections.js';
import type { Failure } from './failure.js';

/** The failure that a request asks for with `Prefer: code=503`, as in Prism: any 4xx or 5xx. `undefined` if it asks for none. */
export function preferredFailure(headers: HeaderFields): Failure | undefined {
  const asked = headerValues(headers, 'prefer');
  if (asked.length === 0) return undefined;
  const code = /(?:^|[\s,])code="?([45]\d\d)"?(?=$|[\s,;])/i.exec(asked.join(', '))?.[1];
  return code === undefined ? undefined : { status: Number(code) };
}

/** The response of a failure that has a status. */
export function failureResponse(
  { status, body, headers: given = {}, error, message }: Failure & { readonly status: number },
  { errorCodes: codes }: Behaviour,
): OutgoingResponse {
  const whole = JSON.stringify({
    error: error ?? usualError('failure-set', status, codes),
    message: message ?? 'this failure was asked for',
  });
  const names = Object.keys(given).map((name) => name.toLowerCase());
  const own = {
    ...(body !== '' && {
      'content-type': body === undefined ? 'application/json' : 'text/plain; charset=utf-8',
    }),
    // RFC 9110, section 15.5.2: a 401 has a challenge.
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  };
  const headers = [
    ...Object.entries(own).filter(([name]) => !names.includes(name)),
    ...Object.entries(given),
  ];
  return { status, headers: headers.flat(), body: body ?? whole };
}
