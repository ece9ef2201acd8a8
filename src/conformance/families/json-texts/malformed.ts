import type { ProbeDraft } from '../draft.js';
import { oneRequest, requestOf } from '../text-drafts.js';

type Case = readonly [what: string, title: string, text: string];

/** Values that are not JSON, in an unknown member. Some parsers skip such a member without reading it. */
const VALUES: readonly Case[] = [
  ['capital-literal', 'the word True', 'True'],
  ['undefined', 'the word undefined', 'undefined'],
  ['cut-literal', 'the word nul', 'nul'],
  ['unquoted-string', 'a word without quotes', 'green'],
  ['comma-before-bracket', 'a comma after the last item of an array', '[1,]'],
  ['no-comma-in-array', 'an array without a comma between its items', '[1 2]'],
  ['crossed-brackets', 'an array that ends with a brace', '{"a":[1}]'],
  ['unknown-escape-beside', 'a string with the escape \\x41', '"gr\\x41y"'],
  ['point-first', 'a number that begins with a point', '.5'],
];

/** An id that is not a number of JSON. */
const IDS: readonly Case[] = [
  ['leading-zero', 'has a leading zero', '0<ID>'],
  ['plus-sign', 'has a plus sign', '+<ID>'],
  ['point-last', 'ends with a point', '<ID>.'],
  ['hexadecimal', 'is hexadecimal', '0x<ID>'],
  ['suffix-of-java', 'ends with the letter L', '<ID>L'],
  ['arabic-digit', 'ends with an Arabic digit', '<ID>٣'],
];

/** A name that is not a string of JSON. */
const NAMES: readonly Case[] = [
  ['line-break', 'has a line break that is not escaped', '"<NAME>\nvera"'],
  ['escape-x', 'has the escape \\x41', '"<NAME>\\x41"'],
  ['escape-of-apostrophe', "has the escape \\'", '"<NAME>\\\'s"'],
  ['escape-u-with-letter', 'has the escape \\u12G4', '"<NAME>\\u12G4"'],
  ['open-string', 'has no closing quote', '"<NAME>'],
];

/** Bodies that are not JSON as a whole. */
const BODIES: readonly Case[] = [
  ['keys-without-quotes', 'a plant whose keys have no quotes', '{name:"<NAME>",id:<ID>}'],
  ['equals-signs', 'a plant with equals signs instead of colons', '{"name"="<NAME>","id"=<ID>}'],
  ['no-comma', 'a plant without a comma between its members', '{"name":"<NAME>" "id":<ID>}'],
  ['two-commas', 'a plant with two commas between its members', '{"name":"<NAME>",,"id":<ID>}'],
  ['line-comment', 'a plant with a // comment in its JSON', '{"name":"<NAME>", // a name\n"id":<ID>}'],
  ['hash-comment', 'a plant with a # comment in its JSON', '{"name":"<NAME>", # a name\n"id":<ID>}'],
  ['form-feed', 'a plant with a form feed as white space', '{"name":"<NAME>",\f"id":<ID>}'],
  ['no-break-space', 'a plant with a no-break space as white space', '{"name":"<NAME>",\u00a0"id":<ID>}'],
  ['prefix', "a plant after the prefix )]}'", ')]}\'\n{"name":"<NAME>","id":<ID>}'],
  ['function-call', 'a plant in a call of a function', 'callback({"name":"<NAME>","id":<ID>});'],
];

/** Bodies with something after a plant. */
const ENDINGS: readonly Case[] = [
  ['brace-after', 'a closing brace', '}'],
  ['comma-after', 'a comma', ','],
  ['nul-after', 'the character U+0000', '\0'],
];

function drafts(cases: readonly Case[], rule: string): ProbeDraft[] {
  return cases.map(([what, title, text]) =>
    oneRequest(`json-texts/${what}`, title, requestOf(text), {
      ...{ expectation: 'rejected', phase: 'invalid', control: 'plain-plant' },
      rules: [rule],
    }),
  );
}

/** Bodies that are not JSON. */
export const malformedTexts: readonly ProbeDraft[] = [
  ...drafts(
    [
      ...VALUES.map(
        ([what, title, value]): Case => [
          what,
          `a plant with ${title} in an unknown field`,
          `{"name":"<NAME>","id":<ID>,"colour":${value}}`,
        ],
      ),
      ...IDS.map(
        ([what, title, id]): Case => [what, `a plant whose id ${title}`, `{"name":"<NAME>","id":${id}}`],
      ),
      ...NAMES.map(
        ([what, title, name]): Case => [what, `a plant whose name ${title}`, `{"name":${name},"id":<ID>}`],
      ),
      ...BODIES,
    ],
    'request/body-is-json',
  ),
  ...drafts(
    ENDINGS.map(
      ([what, title, ending]): Case => [
        what,
        `a plant with ${title} after its JSON`,
        `{"name":"<NAME>","id":<ID>}${ending}`,
      ],
    ),
    'request/nothing-follows-the-json',
  ),
];
