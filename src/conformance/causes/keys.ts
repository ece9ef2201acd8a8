import { readJson } from '../../validation/json.js';
import { isObject, type JsonObject } from '../../validation/json-value.js';
import { type Exchange, isAccepted } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { jsonOf } from '../response-body.js';
import type { Cause } from './cause.js';

const FIELDS: readonly string[] = ['name', 'id', 'tag'];
const ABOUT_KEYS =
  /^(?:success\/(?:name|tag)-comes-back|request\/(?:name|id)-is-required|request\/unknown-members-change-nothing)$/;

/** Keys that are taken for others. */
export const keyCauses: readonly Cause[] = [
  {
    id: 'keys-ignore-case',
    fix: 'Compare keys exactly: "Name" is another key than "name".',
    explain: ({ rule, exchange }, facts) => {
      if (!ABOUT_KEYS.test(rule) || !facts.find(isCaseIgnored)) return undefined;
      // Of a sequence, another request has the key.
      const sequence = facts.of(exchange.probe);
      return [exchange, ...(exchange.step > 0 ? sequence : [])].some((one) => otherCase(one).length > 0)
        ? 'Keys are compared without their case: "Name" is read as "name".'
        : undefined;
    },
  },
];

/** Whether a value came back that was sent under a key in another case. */
function isCaseIgnored({ exchanges }: Facts): boolean {
  return exchanges.some((exchange) => {
    if (!isAccepted(exchange) || exchange.response === undefined) return false;
    const sent = membersOf(readJson(exchange.request.body));
    const received = membersOf(jsonOf(exchange.response));
    return otherCase(exchange).some((key) => {
      const field = key.toLowerCase();
      return received[field] === sent[key] && received[field] !== sent[field];
    });
  });
}

/** The keys of a request that differ from a field only in their case. */
function otherCase({ request: { body } }: Exchange): string[] {
  return Object.keys(membersOf(readJson(body))).filter(
    (key) => !FIELDS.includes(key) && FIELDS.includes(key.toLowerCase()),
  );
}

function membersOf(read: ReturnType<typeof readJson>): JsonObject {
  return read.ok && isObject(read.value) ? read.value : {};
}
