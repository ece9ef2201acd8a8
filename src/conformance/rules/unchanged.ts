import { describe, quoted } from '../../validation/violation.js';
import { type Exchange, isRejected, isUnprocessed } from '../exchange.js';
import type { ProbeName } from '../families/index.js';
import { openStringProbes } from '../families/strings.js';
import { type Context, type Demand, defineRule, type Judgement } from '../rule.js';
import { isNewPlant, mayBeAccepted, plantIn } from './responses.js';
import { PLANT, RESOURCES } from './sources.js';

const STRINGS: readonly ProbeName[] = [...openStringProbes.map(({ name }) => name), 'large-body'];

/** Defines a rule: the plant in a 200 is the plant that was sent. */
function unchanged<const Id extends string>(rule: Omit<Demand<Id>, 'level' | 'control'>): Demand<Id> {
  return defineRule({ ...rule, level: 'implied', control: 'none' });
}

/** Requires that a string comes back as it was sent, if it comes back at all. */
function judgeField(exchange: Exchange, { record }: Context, field: 'name' | 'tag'): Judgement {
  const sent = exchange.request.plant?.[field];
  const plant = plantIn(exchange);
  if (sent === undefined || plant === undefined || record.mixed.belongsToAnother(exchange))
    return 'nothing-to-judge';
  const received = plant[field];
  if (received === sent) return undefined;
  const at = typeof received === 'string' ? firstDifference(sent, received) : 0;
  return {
    expected: `"${field}" ${excerpt(sent, at)}, as sent`,
    actual: `"${field}" is ${typeof received === 'string' ? excerpt(received, at) : describe(received)}`,
  };
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** The part of a string where it differs from another. */
function excerpt(text: string, at: number): string {
  return at <= 40 ? quoted(text) : `…${quoted(text.slice(at - 20).toWellFormed())}`;
}

/**
 * Whether a tag is missing because of its characters. If every tag is missing, `success/tag-comes-back` fails. An empty
 * tag may count as a missing one.
 */
function isLost({ request }: Exchange, { record }: Context): boolean {
  const plain = record.of('plain-plant-with-tag').at(-1);
  return request.plant?.tag !== '' && plain !== undefined && plantIn(plain)?.tag !== undefined;
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
    judges: ({ expectation }) => expectation === 'created',
    nothingToJudge: 'no 200 had a name',
    judge: (exchange, context) => judgeField(exchange, context, 'name'),
  }),
  unchanged({
    id: 'success/tag-comes-back',
    title: 'The tag of the plant comes back as it was sent.',
    source: { section: 'Endpoints', pointer: `${PLANT}/properties/tag` },
    why: 'A 200 has "tag" when the plant has one. The plant was created with this tag, so a response without it or with another tag describes another plant.',
    usualCause: 'The tag is not stored, or it is changed before it is stored.',
    fix: 'Return the tag as it was received.',
    judges: ['plain-plant-with-tag', 'tag-null', 'repeated-name'],
    nothingToJudge: 'no plant with a tag returned 200 with a Plant',
    judge: (exchange, context) => judgeField(exchange, context, 'tag'),
  }),
  unchanged({
    id: 'success/texts-come-back',
    title: 'Strings come back unchanged in every script, and with markup, quotes or control characters.',
    source: { section: RESOURCES, pointer: `${PLANT}/properties` },
    why: 'The interface does not show which strings are allowed, so a provider may reject any of these. But if it accepts one, that string is the name or the tag of the plant, and the response describes that plant.',
    usualCause:
      'Strings are trimmed, normalised, escaped for HTML, or stored in a charset without some characters.',
    fix: 'Store strings unchanged (in MySQL, as utf8mb4). Escape them where they are displayed, not where they are stored.',
    judges: STRINGS,
    nothingToJudge: 'no response had a plant with such a string',
    judge(exchange, context) {
      if (isRejected(exchange) && !isUnprocessed(exchange))
        return { notApplicable: 'the interface allows the provider to reject such strings, and it does' };
      const isTag = context.probe.name.startsWith('tag-with-');
      if (isTag && plantIn(exchange)?.tag === undefined && !isLost(exchange, context))
        return 'nothing-to-judge';
      return judgeField(exchange, context, isTag ? 'tag' : 'name');
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
    judge(exchange, { record }) {
      const plant = plantIn(exchange);
      // The response to a duplicate may be the stored plant, which may have a tag.
      if (!isNewPlant(exchange) || exchange.request.plant?.tag !== undefined || plant === undefined)
        return 'nothing-to-judge';
      if (record.mixed.belongsToAnother(exchange)) return 'nothing-to-judge';
      return 'tag' in plant ? { expected: 'no "tag"', actual: `"tag" is ${describe(plant.tag)}` } : undefined;
    },
  }),
];
