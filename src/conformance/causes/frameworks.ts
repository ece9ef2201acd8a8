import { headerValues } from '../../http/fields.js';
import type { ProviderResponse } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { decodedBody } from '../response-body.js';
import { type Framework, gateways, type Mark, marks } from './marks.js';

/**
 * The framework or the gateway whose default failure this is. `undefined`: no mark matches. The header of a framework
 * alone shows nothing: the body may be the provider's own.
 */
export function authorOf(response: ProviderResponse, facts: Facts): Framework | undefined {
  const found = marks.filter((mark) => fits(mark, response));
  const framework = frameworkOf(facts);
  return found.find((mark) => isOwn(mark) || mark.framework === framework)?.framework;
}

/** The framework of a provider: its responses have a mark that no other framework has, or a header with its name. */
export function frameworkOf(facts: Facts): Framework | undefined {
  return facts.find(shownBy);
}

function shownBy({ everyAttempt }: Facts): Framework | undefined {
  const responses = everyAttempt.flatMap(({ response }) => (response === undefined ? [] : [response]));
  const statusesThatFit = (mark: Mark): number =>
    new Set(responses.filter((response) => fits(mark, response)).map(({ status }) => status)).size;
  const found = marks.find(
    (mark) =>
      mark.isCommon === undefined &&
      !gateways.has(mark.framework) &&
      statusesThatFit(mark) >= (mark.statuses ?? 1),
  );
  if (found !== undefined) return found.framework;
  // Express names itself, whatever the body is.
  const namesExpress = responses.some(({ headers }) =>
    headerValues(headers, 'x-powered-by').includes('Express'),
  );
  return namesExpress ? 'Express' : undefined;
}

/** Whether one failure is enough to show the framework. */
function isOwn({ isCommon, statuses = 1 }: Mark): boolean {
  return isCommon === undefined && statuses === 1;
}

function fits(
  { status, body, headers = {}, without = [], names }: Mark,
  response: ProviderResponse,
): boolean {
  if (response.status < 400 || (status !== undefined && !status.includes(response.status))) return false;
  const values = (name: string): readonly string[] => headerValues(response.headers, name);
  if (without.some((name) => values(name).length > 0)) return false;
  if (names !== undefined && !names.test(response.headers.map(([name]) => name).join())) return false;
  const hasHeaders = Object.entries(headers).every(([name, value]) =>
    values(name).some((text) => value.test(text)),
  );
  return hasHeaders && body.test(textOf(response));
}

const LONGEST = 20_000;

function textOf(response: ProviderResponse): string {
  const bytes = decodedBody(response);
  return typeof bytes === 'string' ? '' : Buffer.from(bytes).toString('latin1', 0, LONGEST);
}
