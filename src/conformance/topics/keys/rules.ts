import type { JsonValue } from '../../../validation/json-value.js';
import { describe, quoted } from '../../../validation/violation.js';
import { type Exchange, isAccepted, isRejected, isUnprocessed } from '../../exchange.js';
import type { Facts } from '../../facts/facts.js';
import type { ControlName } from '../../probe.js';
import { responseInWords } from '../../response-body.js';
import { defineRule, type Judgement, type Problem } from '../../rule.js';
import { plantIn } from '../../rules/responses.js';
import { NEW_PLANT, RESOURCES } from '../../rules/sources.js';
import { whyStoreIsHidden } from '../state/duplicates.js';

const allowed = {
  notApplicable: 'the interface allows the provider to reject unknown fields, and it does',
};

/** What the interface demands of members that it does not name. */
export const unknownMemberRules = [
  defineRule({
    id: 'request/unknown-members-change-nothing',
    title: 'An unknown field does not change the name, the id or the tag of a plant.',
    level: 'implied',
    source: { section: RESOURCES, pointer: NEW_PLANT },
    why: 'A NewPlant has the members "name", "id" and "tag". Two keys are the same only if every character is (RFC 8259, section 8.3), so "Name" is another member, and so is a member of an inner object. The interface does not show what happens to other members, and a provider may reject them. But it gives them no meaning: an accepted plant is what its three members say.',
    usualCause:
      'Keys are compared without their case, or members are merged from inner objects such as "__proto__".',
    fix: 'Read exactly "name", "id" and "tag" from the outer object, as its own members.',
    dependsOn: ['plain-plant', 'plain-plant-with-tag'],
    control: 'none',
    nothingToJudge: 'no plant with an unknown field was accepted',
    judge(exchange, { sequence, facts }) {
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
    },
  }),
];

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
