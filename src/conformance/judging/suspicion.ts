import { type Exchange, isAccepted, isUnprocessed } from '../exchange.js';
import { contentOf } from '../response-body.js';
import { objectIn } from '../rules/responses.js';

/** How a response to a packed request is other than those to plain plants. */
export type Suspicion = 'rejected' | 'failed' | 'changed';

/**
 * Whether a response is other than that to a plain plant, so that something in the request may break a rule, or be rejected.
 *
 * @param control its control
 * @param plain a plain plant with a tag, if it has one, or without
 */
export function suspicionOf(
  exchange: Exchange,
  control: Exchange | undefined,
  plain = control,
): Suspicion | undefined {
  if (isUnprocessed(exchange) || control === undefined || !isAccepted(control)) return undefined;
  const { response } = exchange;
  if (response !== undefined && response.status >= 400 && response.status < 500) return 'rejected';
  if (response === undefined || !isAccepted(exchange)) return 'failed';
  const isSame = response.status === plain?.response?.status && defectsOf(exchange) === defectsOf(plain);
  return isSame ? undefined : 'changed';
}

/** What is wrong with a response, in a form in which those of two plants can be compared. */
function defectsOf(exchange: Exchange): string {
  const { response, request } = exchange;
  if (response === undefined) return '';
  const violations = contentOf(response).violations.map(
    ({ part, keyword, pointer }) => `${part} ${keyword} ${pointer}`,
  );
  const members = objectIn(exchange);
  const changed = (['name', 'tag'] as const).filter((field) => members?.[field] !== request.plant?.[field]);
  return [...violations, ...changed].sort().join('\n');
}
