import { differenceOf } from '../../../validation/returned-plant.js';
import { describe } from '../../../validation/violation.js';
import { type Exchange, isRejected, isUnprocessed } from '../../exchange.js';
import { isPlainName, isPlainTag } from '../../oracle.js';
import { type Context, type Demand, defineRule, type Judgement } from '../../rule.js';
import { isNewPlant, mayBeAccepted, plantIn } from '../../rules/responses.js';
import { PLANT, RESOURCES } from '../../rules/sources.js';
import { hasKeyLikeAField } from '../../rules/validity.js';
import { words } from '../words.js';

/** Probes of one plain string. Those of several name these rules themselves. */
const PLAIN = words(
  'name-of-one-letter name-of-30-letters name-null name-true name-NaN name-constructor tag-null',
);

/** Defines a rule: the plant in a 200 is the plant that was sent. */
function unchanged<const Id extends string>(rule: Omit<Demand<Id>, 'level' | 'control'>): Demand<Id> {
  return defineRule({ ...rule, level: 'implied', control: 'none' });
}

/** Whether every provider accepts a string. */
const IS_PLAIN = { name: isPlainName, tag: isPlainTag };

/** The strings of a new plant: those that every provider accepts, or the others. */
function stringsOf(exchange: Exchange, which: 'plain' | 'other'): readonly ('name' | 'tag')[] {
  const { plant } = exchange.request;
  if (plant === undefined || !isNewPlant(exchange) || hasKeyLikeAField(exchange.request)) return [];
  return (['name', 'tag'] as const).filter((field) => {
    const sent = plant[field];
    return sent !== undefined && IS_PLAIN[field](sent) === (which === 'plain');
  });
}

/** Requires that a plain string comes back as it was sent. */
function judgePlain(exchange: Exchange, context: Context, field: 'name' | 'tag'): Judgement {
  return stringsOf(exchange, 'plain').includes(field)
    ? judgeField(exchange, context, field)
    : 'nothing-to-judge';
}

/** Requires that a string comes back as it was sent, if it comes back at all. */
function judgeField(exchange: Exchange, { facts }: Context, field: 'name' | 'tag'): Judgement {
  const sent = exchange.request.plant?.[field];
  const plant = plantIn(exchange);
  if (sent === undefined || plant === undefined || facts.mixed.belongsToAnother(exchange))
    return 'nothing-to-judge';
  const difference = differenceOf(sent, plant[field]);
  return (
    difference && {
      expected: `"${field}" ${difference.sent}, as sent`,
      actual: `"${field}" is ${difference.received}`,
    }
  );
}

/**
 * Whether a tag is missing because of its characters. If every tag is missing, `success/tag-comes-back` fails. An empty
 * tag may count as a missing one.
 */
function isLost({ request }: Exchange, { facts }: Context): boolean {
  const plain = facts.of('plain-plant-with-tag').at(-1);
  return request.plant?.tag !== '' && plain !== undefined && plantIn(plain)?.tag !== undefined;
}

/** Requires that a string that is not plain comes back as it was sent. A tag may be missing for another reason. */
function judgeOther(exchange: Exchange, context: Context, field: 'name' | 'tag'): Judgement {
  const isMissing = field === 'tag' && plantIn(exchange)?.tag === undefined;
  return isMissing && !isLost(exchange, context) ? 'nothing-to-judge' : judgeField(exchange, context, field);
}

/** What several judgements of one exchange come to: all problems as one. */
function joined(judgements: readonly Judgement[]): Judgement {
  const problems = judgements.filter((one) => typeof one === 'object' && 'expected' in one);
  if (problems.length === 0) return judgements.includes(undefined) ? undefined : 'nothing-to-judge';
  return {
    expected: problems.map(({ expected }) => expected).join('; '),
    actual: problems.map(({ actual }) => actual).join('; '),
  };
}

/** What the interface demands of the plant in a 200: it is the plant that was created. */
export const unchangedRules = [
  unchanged({
    id: 'success/name-comes-back',
    title: 'The name of the plant comes back as it was sent.',
    source: { section: RESOURCES, pointer: `${PLANT}/properties/name` },
    why: 'The response is the plant that was created, and "name" is its name. A plant with another name is another plant.',
    usualCause: 'The response is a fixed example, or the name is changed before it is stored.',
    fix: 'Return the name as it was received.',
    judges: mayBeAccepted,
    sends: ['plain-plant', 'plain-plant-with-tag', ...PLAIN],
    nothingToJudge: 'no 200 had a name',
    judge: (exchange, context) => judgePlain(exchange, context, 'name'),
  }),
  unchanged({
    id: 'success/tag-comes-back',
    title: 'The tag of the plant comes back as it was sent.',
    source: { section: 'Endpoints', pointer: `${PLANT}/properties/tag` },
    why: 'A 200 has "tag" when the plant has one. The plant was created with this tag, so a response without it or with another tag describes another plant.',
    usualCause: 'The tag is not stored, or it is changed before it is stored.',
    fix: 'Return the tag as it was received.',
    judges: mayBeAccepted,
    sends: ['plain-plant-with-tag', 'repeated-name', ...PLAIN],
    nothingToJudge: 'no plant with a tag returned 200 with a Plant',
    judge: (exchange, context) => judgePlain(exchange, context, 'tag'),
  }),
  unchanged({
    id: 'success/texts-come-back',
    title: 'Strings come back unchanged in every script, and with markup, quotes or control characters.',
    source: { section: RESOURCES, pointer: `${PLANT}/properties` },
    why: 'The interface does not show which strings are allowed, so a provider may reject any of these. But if it accepts one, that string is the name or the tag of the plant, and the response describes that plant.',
    usualCause:
      'Strings are trimmed, normalised, escaped for HTML, or stored in a charset without some characters.',
    fix: 'Store strings unchanged (in MySQL, as utf8mb4). Escape them where they are displayed, not where they are stored.',
    judges: mayBeAccepted,
    sends: [],
    nothingToJudge: 'no response had a plant with such a string',
    judge(exchange, context) {
      const others = stringsOf(exchange, 'other');
      if (others.length === 0) return 'nothing-to-judge';
      if (isRejected(exchange) && !isUnprocessed(exchange))
        return { notApplicable: 'the interface allows the provider to reject such strings, and it does' };
      return joined(others.map((field) => judgeOther(exchange, context, field)));
    },
  }),
  unchanged({
    id: 'success/absent-tag-stays-absent',
    title: 'A plant that was sent without a tag comes back without one.',
    source: { section: 'Endpoints', pointer: `${PLANT}/properties/tag` },
    why: 'A 200 has "tag" when the plant has one, and this plant has none. Every value of "tag", even an empty string, is a tag that the client did not send.',
    usualCause: 'A missing tag is serialised as null or as an empty string.',
    fix: 'Leave the member "tag" out if the plant has no tag.',
    judges: mayBeAccepted,
    nothingToJudge: 'no plant without a tag returned 200 with a Plant',
    judge(exchange, { facts }) {
      const plant = plantIn(exchange);
      // The response to a duplicate may be the stored plant, which may have a tag.
      if (!isNewPlant(exchange) || exchange.request.plant?.tag !== undefined || plant === undefined)
        return 'nothing-to-judge';
      if (facts.mixed.belongsToAnother(exchange) || hasKeyLikeAField(exchange.request))
        return 'nothing-to-judge';
      return 'tag' in plant ? { expected: 'no "tag"', actual: `"tag" is ${describe(plant.tag)}` } : undefined;
    },
  }),
];
