import { readJson } from '../../../validation/json.js';
import type { JsonValue } from '../../../validation/json-value.js';
import { describe, quoted } from '../../../validation/violation.js';
import { membersOf } from '../../body.js';
import {
  type Exchange,
  isAccepted,
  isRejected,
  isUnprocessed,
  type Judgement,
  objectIn,
  type Problem,
  plantIn,
  responseInWords,
} from '../../exchange.js';
import type { Facts } from '../../judge/facts.js';
import { fieldLike } from '../../oracle.js';
import type { ControlName } from '../../probe.js';
import { type Context, defineRule } from '../../rule.js';
import { judgeRejection, NEW_PLANT, RESOURCES, rejects } from '../../rules/define.js';
import { whyStoreIsHidden } from '../duplicates.js';

const allowed = {
  notApplicable: 'the interface allows the provider to reject unknown fields, and it does',
};

/** What the interface demands of members that it does not name. */
export const keyRules = [
  rejects({
    id: 'request/keys-are-exact',
    severity: 'warning',
    title: '"Name" is not "name": a key in another case, or with a character more, is another key.',
    level: 'implied',
    source: { section: RESOURCES, pointer: NEW_PLANT },
    why: 'The members are "name", "id" and "tag". Two keys are the same only if every character is (RFC 8259, section 8.3), so a plant with "Name" alone has no name, and a required field is missing. Beside "name", it is an unknown field. If it counted, one plant would have two names, and no client could know which one is stored.',
    usualCause:
      'The JSON library compares keys without their case: encoding/json in Go and the JSON of ASP.NET Core do so by default.',
    fix: 'Compare keys exactly. In ASP.NET Core, set PropertyNameCaseInsensitive to false. In Go, check the keys yourself, or use encoding/json/v2.',
    dependsOn: ['plain-plant', 'plain-plant-with-tag', 'missing-name', 'missing-id'],
    nothingToJudge: 'no plant with such a key could be sent',
    judge: (exchange, context) =>
      exchange.expectation === 'rejected'
        ? judgeOtherKey(exchange, context)
        : judgeUnknownMembers(exchange, context),
  }),
  defineRule({
    id: 'request/unknown-members-change-nothing',
    severity: 'error',
    title: 'An unknown field does not change the name, the id or the tag of a plant.',
    level: 'implied',
    source: { section: RESOURCES, pointer: NEW_PLANT },
    why: 'A NewPlant has the members "name", "id" and "tag". A member of an inner object is not one of them. The interface does not show what happens to other members, and a provider may reject them. But it gives them no meaning: an accepted plant is what its three members say.',
    usualCause:
      'Members are merged from inner objects such as "__proto__", or another field replaces one that is missing.',
    fix: 'Read exactly "name", "id" and "tag" from the outer object, as its own members.',
    dependsOn: ['plain-plant', 'plain-plant-with-tag'],
    control: 'none',
    nothingToJudge: 'no plant with an unknown field was accepted',
    judge: judgeUnknownMembers,
  }),
];

/**
 * Requires that a plant with a required field only under a key like its own is rejected. If the provider accepts a plant without
 * that field at all, nothing shows that it reads the other key, unless the value comes back.
 */
function judgeOtherKey(exchange: Exchange, context: Context): Judgement {
  const judgement = judgeRejection(exchange);
  const members = membersOf(readJson(exchange.request.body));
  if (!isAccepted(exchange) || members === undefined) return judgement;
  const field = Object.hasOwn(members, 'name') ? 'id' : 'name';
  const key = Object.keys(members).find((one) => fieldLike(one) === field);
  const received = objectIn({ ...exchange, expectation: 'open' })?.[field];
  const isReturned = key !== undefined && received === members[key];
  return context.facts.accepted(`missing-${field}`) && !isReturned
    ? { notApplicable: `the provider accepts a plant without any "${field}"` }
    : judgement;
}

/** Requires that an accepted plant is what its three members say. */
function judgeUnknownMembers(exchange: Exchange, { sequence, facts }: Context): Judgement {
  if (isUnprocessed(exchange)) return 'nothing-to-judge';
  if (exchange.step > 0) return judgeOtherId(exchange, sequence);
  if (isRejected(exchange)) return allowed;
  const sent = exchange.request.plant;
  const plant = plantIn(exchange);
  if (sent === undefined || plant === undefined || facts.mixed.belongsToAnother(exchange))
    return 'nothing-to-judge';
  const control = sent.tag === undefined ? 'plain-plant' : 'plain-plant-with-tag';
  return (['name', 'tag'] as const)
    .filter((field) => comesBack(facts, control, field))
    .map((field) => problemWith(field, sent[field], plant[field]))
    .find((problem) => problem !== undefined);
}

/** Whether a field comes back as it was sent if there are no unknown members. Otherwise it proves nothing about them. */
function comesBack(facts: Facts, control: ControlName, field: 'name' | 'tag'): boolean {
  const exchange = facts.of(control).at(-1);
  const plant = exchange && plantIn(exchange);
  return plant !== undefined && plant[field] === exchange?.request.plant?.[field];
}

function problemWith(
  field: string,
  sent: string | undefined,
  received: JsonValue | undefined,
): Problem | undefined {
  if (received === sent) return undefined;
  return {
    expected: sent === undefined ? `no "${field}", as sent` : `"${field}" ${quoted(sent)}, as sent`,
    actual: `"${field}" is ${received === undefined ? 'missing' : describe(received)}`,
  };
}

/** A plant with an id that came before only in unknown members. The last request repeats the right id of the first. */
function judgeOtherId(exchange: Exchange, sequence: readonly Exchange[]): Judgement {
  const [first, second, again] = sequence;
  if (exchange !== second || first === undefined) return 'nothing-to-judge';
  if (!isAccepted(first)) return isRejected(first) ? allowed : 'nothing-to-judge';
  if (isAccepted(second)) return whyStoreIsHidden(again);
  return isRejected(second)
    ? {
        expected: `200 for the id ${second.request.plant?.id}: the plant before has the id ${first.request.plant?.id}`,
        actual: responseInWords(second),
      }
    : 'nothing-to-judge';
}
