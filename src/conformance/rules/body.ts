import { defineRule, type Rule } from '../rule.js';
import { judgeRefusal, NOT_SENT } from './refusal.js';

const BODY = '/paths/~1plants/post/requestBody';
const NEW_PLANT = '/components/schemas/NewPlant/allOf/1';
const PLANT = '/components/schemas/Plant';

/** A rule that certain requests are refused. */
function refuses(rule: Omit<Rule, 'level' | 'control' | 'nothingToJudge' | 'judge'>): Rule {
  return defineRule({
    ...rule,
    level: 'documented',
    control: 'for-a-pass',
    nothingToJudge: NOT_SENT,
    judge: judgeRefusal,
  });
}

const FIELDS = 'Resources and their fields';

export const bodyRules: readonly Rule[] = [
  refuses({
    id: 'request/body-is-required',
    title: 'A request without a body is refused.',
    source: { section: 'Endpoints', pointer: `${BODY}/required` },
    why: 'The request body is required.',
    judges: ['no-body'],
  }),
  refuses({
    id: 'request/body-is-json',
    title: 'A body that is not JSON is refused.',
    source: { section: FIELDS, pointer: `${BODY}/content/application~1json` },
    why: 'All bodies are JSON. What is not JSON is no NewPlant.',
    judges: ['malformed-json', 'single-quotes', 'text-for-json'],
  }),
  refuses({
    id: 'request/body-is-an-object',
    title: 'JSON that is no object is refused.',
    source: { section: 'Endpoints', rule: 3, pointer: `${PLANT}/type` },
    why: 'The request body is an object with the members of a NewPlant.',
    judges: ['body-is-null', 'body-is-text', 'body-is-number', 'body-is-array'],
  }),
  refuses({
    id: 'request/name-is-required',
    title: 'A plant without a name is refused.',
    source: { section: FIELDS, pointer: `${PLANT}/required/0` },
    why: '"name" is required in NewPlant.',
    judges: ['missing-name', 'empty-object'],
  }),
  refuses({
    id: 'request/id-is-required',
    title: 'A plant without an id is refused.',
    source: { section: FIELDS, pointer: `${NEW_PLANT}/required/0` },
    why: '"id" is required in NewPlant.',
    judges: ['missing-id', 'empty-object'],
  }),
  refuses({
    id: 'request/name-is-a-string',
    title: 'A name that is no string is refused.',
    source: { section: FIELDS, pointer: `${PLANT}/properties/name/type` },
    why: '"name" is a string.',
    judges: ['name-is-null', 'name-is-number', 'name-is-boolean', 'name-is-array', 'name-is-object'],
  }),
  refuses({
    id: 'request/id-is-an-integer',
    title: 'An id that is no integer is refused.',
    source: { section: FIELDS, pointer: `${NEW_PLANT}/properties/id/type` },
    why: '"id" is an integer. Digits in quotes are a string.',
    judges: [
      'id-is-text',
      'id-is-word',
      'id-is-null',
      'id-is-boolean',
      'id-is-fraction',
      'id-is-array',
      'id-is-object',
    ],
  }),
  refuses({
    id: 'request/tag-is-a-string',
    title: 'A tag that is there and no string is refused.',
    source: { section: FIELDS, pointer: `${PLANT}/properties/tag/type` },
    why: '"tag" is a string, or it is not there. null is neither.',
    judges: ['tag-is-null', 'tag-is-number', 'tag-is-boolean', 'tag-is-array', 'tag-is-object'],
  }),
];
