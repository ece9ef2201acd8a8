import { isObject } from '../../validation/json-value.js';
import { quoted } from '../../validation/violation.js';
import { type Exchange, isThrottled } from '../exchange.js';
import { isOfHouse } from '../house/house-id.js';
import { jsonOf } from '../response-body.js';

/**
 * Why a provider cannot be tested: every plain plant gets a 4xx, a redirect or no response. A 5xx or another 2xx can be
 * judged.
 *
 * @returns the end of a sentence; `undefined` if the provider can be tested
 */
export function whyNotTestable(exchanges: readonly Exchange[]): string | undefined {
  const controls = exchanges.filter(
    ({ expectation, role, probe }) =>
      expectation === 'created' && role === 'judged' && !isOfHouse({ name: probe }),
  );
  if (controls.some(isJudgeable)) return undefined;
  const last = controls.at(-1) ?? exchanges.at(-1);
  if (last === undefined) return 'the check was stopped before it sent anything';
  if (last.response === undefined) return last.failure?.message ?? 'no plain plant was sent';
  const { status } = last.response;
  if (isThrottled(last)) return `it returns ${status}, without a Retry-After or with one of more than 10 s`;
  const said = messageIn(last);
  return `every plain plant gets ${status}${said === undefined ? '' : ` (${quoted(said)})`}. ${suspicion(status)}`;
}

/** The most common reason. */
function suspicion(status: number): string {
  if (status === 401 || status === 403) return 'Is the token right?';
  if (status === 404 || status === 405) return 'Is the base URL right? /plants is appended to it';
  if (status === 406 || status === 415) return 'Does it want another header? --header adds one';
  if (status < 400) return 'Is this the base URL of the provider itself?';
  return 'Are the token and the base URL right? Does the provider accept {"name":"Aloefern","id":123456789}?';
}

/** The message of the Error that the provider returned. */
function messageIn({ response }: Exchange): string | undefined {
  const read = response && jsonOf(response);
  const message = read?.ok === true && isObject(read.value) ? read.value.message : undefined;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function isJudgeable(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  return !isThrottled(exchange) && (status >= 500 || (status >= 200 && status < 300));
}
