import type { ControlName } from '../../probe.js';
import type { ProbeDraft } from '../draft.js';
import { PLAIN_TAG } from '../requests.js';
import { oneRequest, PLAIN, type PlantText, requestOf } from '../text-drafts.js';

/** Everything that JSON allows between tokens (RFC 8259, section 2). */
const SPACE = ' \t\r\n';
const SPACED = ['{', '"name"', ':', '"<NAME>"', ',', '"id"', ':', '<ID>', '}'];

/** The letters as escapes, in turn with small and with capital digits. */
function escaped(text: string): string {
  return [...text]
    .map((letter, at) => {
      const digits = letter.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${at % 2 === 0 ? digits : digits.toUpperCase()}`;
    })
    .join('');
}

type Case = readonly [what: string, title: string, text: string, plant?: PlantText];

/** Plain plants: every provider accepts them. */
const PLAIN_PLANTS: readonly Case[] = [
  [
    'white-space-everywhere',
    'a plain plant with every kind of white space between all tokens',
    `${SPACE}${SPACED.join(SPACE)}${SPACE}`,
  ],
  [
    'letters-as-escapes',
    'a plant with all letters of its tag written as \\u escapes',
    `{"name":"<NAME>","id":<ID>,"tag":"${escaped(PLAIN_TAG)}"}`,
    { ...PLAIN, tag: PLAIN_TAG },
  ],
  [
    'tag-first',
    'a plant whose tag comes first and whose name comes last',
    `{"tag":"${PLAIN_TAG}","id":<ID>,"name":"<NAME>"}`,
    { ...PLAIN, tag: PLAIN_TAG },
  ],
];

/** A provider may reject these names. An accepted name comes back as it is meant. */
const NAMES: readonly Case[] = [
  [
    'short-escapes',
    'a plant whose name has every short escape',
    '{"name":"<NAME> \\" \\\\ \\/ \\b\\f\\n\\r\\t","id":<ID>}',
    { ...PLAIN, name: '<NAME> " \\ / \b\f\n\r\t' },
  ],
  [
    'surrogate-pairs',
    'a plant whose name has characters above U+FFFF as \\u escapes, and as they are',
    '{"name":"<NAME> \\ud83c\\udf35\\uD83C\\uDF35🌵 \\u00e9\\u00E9é","id":<ID>}',
    { ...PLAIN, name: '<NAME> 🌵🌵🌵 ééé' },
  ],
  [
    'name-like-json',
    'a plant whose name has comments, commas and brackets in it',
    '{"name":"<NAME> // a /* b */ # c ,} ,] {\'d\':1}","id":<ID>}',
    { ...PLAIN, name: "<NAME> // a /* b */ # c ,} ,] {'d':1}" },
  ],
];

/** JSON values of every kind in an unknown member, which a provider may reject. */
const VALUES: readonly Case[] = [
  [
    'numbers',
    'a plant with every form of a number in an unknown field',
    '{"name":"<NAME>","id":<ID>,"colour":[0,-0,-1,10,1.5,-0.0,1e2,1E+2,1.25e-2,0e0,5e-324]}',
  ],
  [
    'long-numbers',
    'a plant with numbers that no double holds in an unknown field',
    '{"name":"<NAME>","id":<ID>,"colour":[123456789012345678901234567890,0.1234567890123456789012345,1e400,-1E400]}',
  ],
  [
    'nested-values',
    'a plant with nested values, and strings with brackets and quotes, in an unknown field',
    '{"colour":{"":[[],{},[{"a":[null,true,false]}],""],"}":"}],{\\"name\\":\\"Fern\\",\\"id\\":1"},"name":"<NAME>","id":<ID>}',
  ],
];

function drafts(
  cases: readonly Case[],
  expectation: 'created' | 'open',
  rules: readonly string[],
): ProbeDraft[] {
  return cases.map(([what, title, text, plant = PLAIN]) => {
    const control: ControlName = plant.tag === undefined ? 'plain-plant' : 'plain-plant-with-tag';
    return oneRequest(`json-texts/${what}`, title, requestOf(text, plant), {
      ...{ expectation, phase: 'valid', control },
      rules: plant.tag === undefined ? rules : [...rules, 'success/tag-comes-back'],
    });
  });
}

/** Spellings of plants in JSON. */
export const spelledPlants: readonly ProbeDraft[] = [
  ...drafts(PLAIN_PLANTS, 'created', ['request/spelling-of-json-is-ignored']),
  ...drafts(NAMES, 'open', ['success/texts-come-back']),
  ...drafts(VALUES, 'open', ['request/unknown-members-change-nothing']),
];
