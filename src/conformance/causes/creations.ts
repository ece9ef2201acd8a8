import { headerValues } from '../../http/fields.js';
import { type Exchange, isAccepted } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { objectIn, plantIn } from '../rules/responses.js';
import type { Cause } from './cause.js';

/** Responses to creations that are not the plant. */
export const creationCauses: readonly Cause[] = [
  {
    id: 'response-is-an-example',
    fix: 'Return the plant of the request. A mock that returns examples is not a provider.',
    explain: ({ rule }, facts) =>
      /-comes?-back$|stays-absent$/.test(rule) && isResponseFixed(facts)
        ? 'The response is a fixed example: it is the same for every plant.'
        : undefined,
  },
  {
    id: 'record-is-serialised-whole',
    fix: 'Define a type for the response that has only "name" and "tag".',
    explain: ({ rule, exchange }) =>
      rule === 'success/plant-fields-only' && isRecord(exchange)
        ? 'The whole stored record is serialised, with fields that a Plant does not have.'
        : undefined,
  },
  {
    id: 'range-of-a-creation',
    fix: 'Ignore Range in a POST. If a gateway applies it, take the field out of the request there: "RequestHeader unset Range" in Apache httpd, "unset req.http.Range;" in Varnish.',
    explain: ({ exchange: { request, response } }) =>
      response?.status === 206 && headerValues(request.headers, 'range').length > 0
        ? 'Range is applied to the response of a creation. HTTP defines it for GET only.'
        : undefined,
  },
  {
    id: 'absent-tag-is-null',
    fix: 'Leave the member "tag" out if the plant has no tag.',
    explain: ({ rule, exchange }) =>
      (rule === 'success/absent-tag-stays-absent' || rule === 'success/body-is-a-plant') &&
      plantIn(exchange)?.tag === null
        ? 'A missing tag is serialised as null.'
        : undefined,
  },
];

/** Whether the response has the name of the plant, so that its other fields stand beside it. */
function isRecord(exchange: Exchange): boolean {
  return objectIn(exchange)?.name !== undefined;
}

/** Bodies are compared without copies: a hostile provider may make all of them long. */
function isResponseFixed({ exchanges }: Facts): boolean {
  const created = exchanges.filter(
    (exchange) => isAccepted(exchange) && exchange.request.plant !== undefined,
  );
  const sent = new Set(created.map(({ request }) => request.plant?.name));
  const [first, ...others] = created.map(({ response }) => response?.body ?? new Uint8Array());
  return sent.size > 2 && first !== undefined && others.every((body) => Buffer.compare(first, body) === 0);
}
