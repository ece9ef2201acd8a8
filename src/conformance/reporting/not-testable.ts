import { quoted } from '../../validation/violation.js';
import { type Exchange, isThrottled, jsonOf } from '../exchange.js';
import { isObject } from '../rules/answers.js';

/**
 * Why nothing can be said of a provider: every plain plant gets a 4xx, a redirect or no answer. A 5xx or another
 * 2xx is an answer, and is judged.
 */
export function whyNotTestable(exchanges: readonly Exchange[]): string | undefined {
  const controls = exchanges.filter(
    ({ expectation, role }) => expectation === 'created' && role === 'judged',
  );
  if (controls.some(isJudgeable)) return undefined;
  const last = controls.at(-1) ?? exchanges.at(-1);
  if (last === undefined) return 'it was stopped before anything was sent';
  if (last.response === undefined) return last.failure?.message ?? 'no plain plant was sent';
  const { status } = last.response;
  if (isThrottled(last))
    return `it answers ${status} and does not say when to come again, or says more than 10 s`;
  const said = messageIn(last);
  return `every plain, valid plant is answered with ${status}${said === undefined ? '' : ` (${quoted(said)})`}; ${suspicion(status)}`;
}

/** What is most often the matter. */
function suspicion(status: number): string {
  if (status === 401 || status === 403) return 'is the token right?';
  if (status === 404 || status === 405) return 'is the base URL right? /plants is appended to it';
  if (status < 400) return 'is the base URL that of the provider itself?';
  return 'is the token right, and the base URL?';
}

/** What the provider says of a failure. */
function messageIn({ response }: Exchange): string | undefined {
  const read = response && jsonOf(response);
  const message = read?.ok === true && isObject(read.value) ? read.value.message : undefined;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function isJudgeable(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  return !isThrottled(exchange) && (status >= 500 || (status >= 200 && status < 300));
}
