import { errorCodes } from '../error-codes.js';
import type { OutgoingResponse } from '../exchange.js';
import type { Settings } from '../options.js';
import type { Failure } from './failure.js';

/** The response of a failure that has a status. */
export function failureResponse(
  { status, body, headers: given = {}, error, message }: Failure & { readonly status: number },
  { errorCodes: codes }: Settings,
): OutgoingResponse {
  const usual = codes === 'own' ? errorCodes['failure-set'] : codes === 'status' ? status : codes;
  const whole = JSON.stringify({ error: error ?? usual, message: message ?? 'this failure was asked for' });
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
