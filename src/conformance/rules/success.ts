import { describe, quoted, type Violation } from '../../validation/violation.js';
import { type Exchange, inWords, isAccepted, isRefused, isUnanswered } from '../exchange.js';
import type { Probe } from '../probe.js';
import { REPEATED_NAME } from '../probes/state.js';
import { nameTextProbes, tagTextProbes } from '../probes/texts.js';
import { PLAIN_PLANT, PLAIN_PLANT_WITH_TAG } from '../probes/valid.js';
import { type Context, defineRule, type Judgement } from '../rule.js';
import {
  framingProblem,
  isAnswerToAnother,
  isFromPlants,
  jsonIn,
  judge200,
  namesAreUnique,
  objectIn,
  plantIn,
} from './answers.js';
import { judgeAcceptance } from './refusal.js';

const RESOURCES = 'Resources and their fields';
const RESPONSE_200 = '/paths/~1plants/post/responses/200';
const PLANT = '/components/schemas/Plant';
const NO_OBJECT = 'no creation was answered with 200 and a JSON object';
const NO_200 = 'no creation was answered with 200';

/** Bad requests ought to have no success. */
const any = ({ expectation }: Probe): boolean => expectation !== 'refused';
const CONTROLS = [PLAIN_PLANT, PLAIN_PLANT_WITH_TAG];
const PLAIN_NAMES = [
  ...['name-of-one-letter', 'name-of-30-letters', 'name-null', 'name-true', 'name-NaN', 'name-constructor'],
];
const PLAIN_TAGS = ['tag-null'];
const TEXTS = [...[...nameTextProbes, ...tagTextProbes].map(({ name }) => name), 'large-body'];

/** Whether a request is a valid creation whose id the provider cannot have. */
function isFreshPlant({ request, expectation }: Exchange): boolean {
  return request.plant !== undefined && request.mayBeTaken !== true && expectation !== 'refused';
}

/** That there is no body is for this as well: nothing is no JSON text. */
function isAboutJson({ part, pointer, keyword }: Violation): boolean {
  return part === 'body' && pointer === '' && (keyword === 'json' || keyword === 'required');
}

/** That a text comes back as it was sent, wherever a text comes back at all. */
function comesBack(exchange: Exchange, { evidence }: Context, field: 'name' | 'tag'): Judgement {
  const sent = exchange.request.plant?.[field];
  const plant = plantIn(exchange);
  if (sent === undefined || plant === undefined || isAnswerToAnother(exchange, evidence))
    return 'nothing-to-judge';
  if (plant[field] === sent) return undefined;
  const came = plant[field];
  if (typeof came !== 'string')
    return { expected: `"${field}" ${quoted(sent)}, as sent`, actual: `"${field}" is ${describe(came)}` };
  const at = firstDifference(sent, came);
  return {
    expected: `"${field}" ${excerpt(sent, at)}, as sent`,
    actual: `"${field}" is ${excerpt(came, at)}`,
  };
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** The part of a text in which it differs from another. */
function excerpt(text: string, at: number): string {
  const start = at > 40 ? at - 20 : 0;
  return start === 0 ? quoted(text) : `…${quoted(text.slice(start).toWellFormed())}`;
}

/**
 * Whether a tag is lost for its text: that every tag is, is for success/tag-comes-back to judge, and an empty one
 * may count as none.
 */
function isLost({ request }: Exchange, { evidence }: Context): boolean {
  const plain = evidence.of(PLAIN_PLANT_WITH_TAG).at(-1);
  return request.plant?.tag !== '' && plain !== undefined && plantIn(plain)?.tag !== undefined;
}

/** What the interface demands of creations that succeed. */
export const successRules = [
  defineRule({
    id: 'success/status-is-200',
    title: 'A valid, authorised creation is answered with 200.',
    level: 'documented',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'The interface names one status for a creation that succeeds. Whether another is ever used is not shown, but not for a request like this one.',
    judges: any,
    control: 'none',
    nothingToJudge: 'every valid plant was refused',
    judge(exchange, { probe }) {
      // What is not accepted at all is for the rule about that plant to judge; the plainest ones have no other.
      const isJudged = isAccepted(exchange) || (probe.phase === 'control' && !isRefused(exchange));
      // Of a repeated id, another success is as good.
      if (!isFreshPlant(exchange) || !isJudged || isUnanswered(exchange)) return 'nothing-to-judge';
      return exchange.response?.status === 200 ? undefined : { expected: '200', actual: inWords(exchange) };
    },
  }),
  defineRule({
    id: 'success/tag-is-optional',
    title: 'A plain plant is created with a tag and without one.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${PLANT}/required` },
    why: 'Of the fields of Plant, "tag" is a string that is not required.',
    judges: CONTROLS,
    control: 'none',
    nothingToJudge: 'no plain plant was answered',
    judge: (exchange) =>
      isAccepted(exchange) || isRefused(exchange) ? judgeAcceptance(exchange) : 'nothing-to-judge',
  }),
  defineRule({
    id: 'success/plain-names-are-accepted',
    title: 'A name of 1 to 30 ASCII letters is accepted, the word "null" included.',
    level: 'implied',
    source: { section: RESOURCES, pointer: `${PLANT}/properties/name` },
    why: '"name" is a string. Which lengths and characters it may have is not shown, but a store that takes no name such as these takes no plants: whatever limit there may be lies beyond them. A word that means something in a programming language is a name like another.',
    asks: [REPEATED_NAME],
    judges: PLAIN_NAMES,
    control: 'for-any-verdict',
    nothingToJudge: 'no plain name could be sent',
    judge(exchange, { probe, evidence }) {
      // The letters of the long one are random, so that no other plant has that name.
      const mayBeTaken = probe.name !== 'name-of-30-letters' && namesAreUnique(evidence);
      return mayBeTaken && isRefused(exchange)
        ? { notApplicable: 'the provider refuses a repeated name, as it is free to: this one may be taken' }
        : judgeAcceptance(exchange);
    },
  }),
  defineRule({
    id: 'success/plain-tags-are-accepted',
    title: 'A tag that is a lower-case ASCII word is accepted, the word "null" included.',
    level: 'implied',
    source: { section: RESOURCES, pointer: `${PLANT}/properties/tag` },
    why: '"tag" is a string that specifies the type of the plant, and no list of types is shown: a word is the plainest tag that there can be.',
    judges: PLAIN_TAGS,
    control: 'for-any-verdict',
    nothingToJudge: 'no plain tag could be sent',
    judge: judgeAcceptance,
  }),
  defineRule({
    id: 'success/body-comes-whole',
    title: 'The body of a 200 is as long as its Content-Length or its chunks say.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'The service answers with a Plant body. A message that is shorter than its framing says is incomplete (RFC 9112, section 8), half of a Plant is none, and what lies beyond the length of a message is no part of it.',
    judges: any,
    control: 'none',
    nothingToJudge: NO_200,
    judge(exchange) {
      const { response, expectation } = exchange;
      if (response?.status !== 200 || expectation === 'refused' || !isFromPlants(exchange))
        return 'nothing-to-judge';
      return framingProblem(exchange);
    },
  }),
  defineRule({
    id: 'success/media-type-is-json',
    title: 'A 200 is application/json.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${RESPONSE_200}/content/application~1json` },
    why: 'All bodies are JSON, media type application/json.',
    judges: any,
    control: 'none',
    nothingToJudge: NO_200,
    judge: (exchange) => judge200(exchange, ({ keyword }) => keyword === 'media-type'),
  }),
  defineRule({
    id: 'success/body-is-json',
    title: 'The body of a 200 is one JSON text in UTF-8 without a byte-order mark.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${RESPONSE_200}/content/application~1json` },
    why: 'All bodies are JSON. JSON that systems exchange is UTF-8 and begins with no byte-order mark (RFC 8259, section 8.1).',
    judges: any,
    control: 'none',
    nothingToJudge: NO_200,
    judge: (exchange) => judge200(exchange, isAboutJson),
  }),
  defineRule({
    id: 'success/body-is-a-plant',
    title: 'The body of a 200 is a Plant: "name" a string, "tag" a string or absent.',
    level: 'documented',
    source: { section: 'Endpoints', rule: 1, pointer: PLANT },
    why: 'The service answers with status 200 and a Plant body. null is neither a string nor absent.',
    judges: any,
    control: 'none',
    nothingToJudge: 'no creation was answered with 200 and JSON',
    judge(exchange) {
      if (jsonIn(exchange) === undefined) return 'nothing-to-judge';
      return judge200(exchange, ({ part, keyword }) => part === 'body' && keyword !== 'additionalProperties');
    },
  }),
  defineRule({
    id: 'success/plant-fields-only',
    title: 'A 200 carries the fields of Plant only: no "id", no other field.',
    level: 'documented',
    source: { section: RESOURCES, rule: 1, pointer: `${PLANT}/properties` },
    why: 'The successful response carries the fields of Plant only, and its shape does not include "id".',
    judges: any,
    control: 'none',
    nothingToJudge: NO_OBJECT,
    judge(exchange) {
      if (objectIn(exchange) === undefined) return 'nothing-to-judge';
      return judge200(exchange, ({ keyword }) => keyword === 'additionalProperties');
    },
  }),
  defineRule({
    id: 'success/name-comes-back',
    title: 'The name of the plant comes back as it was sent.',
    level: 'implied',
    source: { section: RESOURCES, pointer: `${PLANT}/properties/name` },
    why: 'The response is the plant that was created, and its "name" is the name of the plant. A plant with another name is another plant.',
    judges: ({ expectation }) => expectation === 'created',
    control: 'none',
    nothingToJudge: 'no 200 had a name',
    judge: (exchange, context) => comesBack(exchange, context, 'name'),
  }),
  defineRule({
    id: 'success/tag-comes-back',
    title: 'The tag of the plant comes back as it was sent.',
    level: 'implied',
    source: { section: 'Endpoints', pointer: `${PLANT}/properties/tag` },
    why: 'The 200 has "tag" when it is present. The plant was created with one, so leaving it out or changing it describes another plant.',
    judges: [PLAIN_PLANT_WITH_TAG, ...PLAIN_TAGS, REPEATED_NAME],
    control: 'none',
    nothingToJudge: 'no plant with a tag was answered with 200 and a Plant',
    judge: (exchange, context) => comesBack(exchange, context, 'tag'),
  }),
  defineRule({
    id: 'success/texts-come-back',
    title: 'Texts of every script, with markup, quotes or control characters, come back unchanged.',
    level: 'implied',
    source: { section: RESOURCES, pointer: `${PLANT}/properties` },
    why: 'Which texts are allowed is not shown, and a provider may refuse any of these. A text that it accepts is the name or the tag of a plant from then on, and the response describes that plant.',
    judges: TEXTS,
    control: 'none',
    nothingToJudge: 'no text but plain ones was accepted',
    judge(exchange, context) {
      if (isRefused(exchange) && !isUnanswered(exchange))
        return { notApplicable: 'the provider refuses every such text, as it is free to' };
      const isTag = tagTextProbes.includes(context.probe);
      if (isTag && plantIn(exchange)?.tag === undefined && !isLost(exchange, context))
        return 'nothing-to-judge';
      return comesBack(exchange, context, isTag ? 'tag' : 'name');
    },
  }),
  defineRule({
    id: 'success/absent-tag-stays-absent',
    title: 'A plant that was sent without a tag comes back without one.',
    level: 'implied',
    source: { section: 'Endpoints', pointer: `${PLANT}/properties/tag` },
    why: 'The 200 has "tag" when it is present. The plant was created without one; any value, an empty text included, is a tag that nobody gave it.',
    judges: any,
    control: 'none',
    nothingToJudge: 'no plant without a tag was answered with 200 and an object',
    judge(exchange, { evidence }) {
      const { plant: sent } = exchange.request;
      const plant = plantIn(exchange);
      // An id that may be taken may be answered with the plant that has it.
      if (!isFreshPlant(exchange) || sent?.tag !== undefined || plant === undefined)
        return 'nothing-to-judge';
      if (isAnswerToAnother(exchange, evidence)) return 'nothing-to-judge';
      return 'tag' in plant ? { expected: 'no "tag"', actual: `"tag" is ${describe(plant.tag)}` } : undefined;
    },
  }),
];
