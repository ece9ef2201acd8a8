import { JsonNumber, type JsonObject, type JsonValue } from '../../validation/json.js';
import { validateResponse } from '../../validation/response.js';
import { describe, type Violation } from '../../validation/violation.js';
import { decodedBody, type Exchange, inWords, isAccepted, isRefused, jsonOf } from '../exchange.js';
import { defineRule, type Judgement, type Problem, type Rule } from '../rule.js';

const VALID = ['plain-plant', 'plain-plant-with-tag'];
const RESPONSE_200 = '/paths/~1plants/post/responses/200';
const NO_OBJECT = 'no creation was answered with 200 and a JSON object';
const NO_200 = 'no creation was answered with 200';

/** The violations of a 200 that one rule is about; nothing to judge in another status. */
function violationsOf(exchange: Exchange, about: (violation: Violation) => boolean): Judgement {
  const { response } = exchange;
  if (response?.status !== 200 || !response.complete) return 'nothing-to-judge';
  const body = decodedBody(response);
  if (typeof body === 'string') return { expected: 'a body that can be decoded', actual: body };
  return problemOf(validateResponse({ status: 200, headers: response.headers, body }).filter(about));
}

function problemOf(violations: readonly Violation[]): Problem | undefined {
  if (violations.length === 0) return undefined;
  return {
    expected: [...new Set(violations.map(({ expected }) => expected))].join('; '),
    actual: violations.map(({ message }) => message).join('; '),
  };
}

/** That there is no body is for this as well: nothing is no JSON text. */
function isAboutJson({ part, pointer, keyword }: Violation): boolean {
  return part === 'body' && pointer === '' && (keyword === 'json' || keyword === 'required');
}

/** The JSON of a 200, read; undefined where there is none. */
function jsonIn({ response }: Exchange): { readonly value: JsonValue } | undefined {
  if (response?.status !== 200 || !response.complete) return undefined;
  const read = jsonOf(response);
  return read.ok ? read : undefined;
}

/** The members of the plant in a 200; undefined where there is none to look at. */
function plantIn(exchange: Exchange): JsonObject | undefined {
  const value = jsonIn(exchange)?.value;
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
  return isObject ? value : undefined;
}

/** That a text comes back as it was sent, wherever a text comes back at all. */
function comesBack(exchange: Exchange, field: 'name' | 'tag'): Judgement {
  const sent = exchange.request.plant?.[field];
  const plant = plantIn(exchange);
  if (sent === undefined || plant === undefined) return 'nothing-to-judge';
  // Where there is no name, this is no Plant at all, which is for another rule to judge.
  if (typeof plant.name !== 'string') return 'nothing-to-judge';
  if (plant[field] === sent) return undefined;
  return {
    expected: `"${field}" ${JSON.stringify(sent)}, as sent`,
    actual: `"${field}" is ${describe(plant[field])}`,
  };
}

export const successRules: readonly Rule[] = [
  defineRule({
    id: 'success/status-is-200',
    title: 'A valid, authorised creation is answered with 200.',
    level: 'documented',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'The interface names one status for a creation that succeeds. Whether another is ever used is not shown, but not for a request like this one.',
    judges: VALID,
    control: 'none',
    nothingToJudge: 'every plain plant was refused',
    judge(exchange) {
      if (isRefused(exchange)) return 'nothing-to-judge';
      return exchange.response?.status === 200 ? undefined : { expected: '200', actual: inWords(exchange) };
    },
  }),
  defineRule({
    id: 'success/tag-is-optional',
    title: 'A plain plant is created with a tag and without one.',
    level: 'documented',
    source: { section: 'Resources and their fields', pointer: '/components/schemas/Plant/required' },
    why: 'Of the fields of Plant, "tag" is a string that is not required.',
    judges: VALID,
    control: 'none',
    nothingToJudge: 'no plain plant was answered',
    judge(exchange) {
      if (isAccepted(exchange)) return undefined;
      if (exchange.retried) return 'nothing-to-judge';
      return isRefused(exchange) ? { expected: '200', actual: inWords(exchange) } : 'nothing-to-judge';
    },
  }),
  defineRule({
    id: 'success/body-comes-whole',
    title: 'The body of a 200 comes to its end.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'The service answers with a Plant body. A message that is shorter than its framing says is incomplete (RFC 9112, section 8), and half of a Plant is none.',
    judges: VALID,
    control: 'none',
    nothingToJudge: NO_200,
    judge({ response }) {
      if (response?.status !== 200) return 'nothing-to-judge';
      return response.complete
        ? undefined
        : {
            expected: 'the whole body',
            actual: `the connection ended after ${response.body.length} bytes of it`,
          };
    },
  }),
  defineRule({
    id: 'success/media-type-is-json',
    title: 'A 200 is application/json.',
    level: 'documented',
    source: { section: 'Resources and their fields', pointer: `${RESPONSE_200}/content/application~1json` },
    why: 'All bodies are JSON, media type application/json.',
    judges: VALID,
    control: 'none',
    nothingToJudge: NO_200,
    judge: (exchange) => violationsOf(exchange, ({ keyword }) => keyword === 'media-type'),
  }),
  defineRule({
    id: 'success/body-is-json',
    title: 'The body of a 200 is one JSON text in UTF-8 without a byte-order mark.',
    level: 'documented',
    source: { section: 'Resources and their fields', pointer: `${RESPONSE_200}/content/application~1json` },
    why: 'All bodies are JSON. JSON that systems exchange is UTF-8 and begins with no byte-order mark (RFC 8259, section 8.1).',
    judges: VALID,
    control: 'none',
    nothingToJudge: NO_200,
    judge: (exchange) => violationsOf(exchange, isAboutJson),
  }),
  defineRule({
    id: 'success/body-is-a-plant',
    title: 'The body of a 200 is a Plant: "name" a string, "tag" a string or absent.',
    level: 'documented',
    source: { section: 'Endpoints', rule: 1, pointer: '/components/schemas/Plant' },
    why: 'The service answers with status 200 and a Plant body. null is neither a string nor absent.',
    judges: VALID,
    control: 'none',
    nothingToJudge: 'no creation was answered with 200 and JSON',
    judge(exchange) {
      if (jsonIn(exchange) === undefined) return 'nothing-to-judge';
      return violationsOf(
        exchange,
        ({ part, keyword }) => part === 'body' && keyword !== 'additionalProperties',
      );
    },
  }),
  defineRule({
    id: 'success/plant-fields-only',
    title: 'A 200 carries the fields of Plant only: no "id", no other field.',
    level: 'documented',
    source: {
      section: 'Resources and their fields',
      rule: 1,
      pointer: '/components/schemas/Plant/properties',
    },
    why: 'The successful response carries the fields of Plant only, and its shape does not include "id".',
    judges: VALID,
    control: 'none',
    nothingToJudge: NO_OBJECT,
    judge(exchange) {
      if (plantIn(exchange) === undefined) return 'nothing-to-judge';
      return violationsOf(exchange, ({ keyword }) => keyword === 'additionalProperties');
    },
  }),
  defineRule({
    id: 'success/name-comes-back',
    title: 'The name of the plant comes back as it was sent.',
    level: 'implied',
    source: { section: 'Resources and their fields', pointer: '/components/schemas/Plant/properties/name' },
    why: 'The response is the plant that was created, and its "name" is the name of the plant. A plant with another name is another plant.',
    judges: VALID,
    control: 'none',
    nothingToJudge: 'no 200 had a name',
    judge: (exchange) => comesBack(exchange, 'name'),
  }),
  defineRule({
    id: 'success/tag-comes-back',
    title: 'The tag of the plant comes back as it was sent.',
    level: 'implied',
    source: { section: 'Endpoints', pointer: '/components/schemas/Plant/properties/tag' },
    why: 'The 200 has "tag" when it is present. The plant was created with one, so leaving it out or changing it describes another plant.',
    judges: ['plain-plant-with-tag'],
    control: 'none',
    nothingToJudge: 'no plant with a tag was answered with 200 and an object',
    judge: (exchange) => comesBack(exchange, 'tag'),
  }),
  defineRule({
    id: 'success/absent-tag-stays-absent',
    title: 'A plant that was sent without a tag comes back without one.',
    level: 'implied',
    source: { section: 'Endpoints', pointer: '/components/schemas/Plant/properties/tag' },
    why: 'The 200 has "tag" when it is present. The plant was created without one; any value, an empty text included, is a tag that nobody gave it.',
    judges: ['plain-plant'],
    control: 'none',
    nothingToJudge: 'no plant without a tag was answered with 200 and an object',
    judge(exchange) {
      const plant = plantIn(exchange);
      if (plant === undefined) return 'nothing-to-judge';
      return 'tag' in plant ? { expected: 'no "tag"', actual: `"tag" is ${describe(plant.tag)}` } : undefined;
    },
  }),
];
