import type { Expectation } from '../oracle.js';
import { PLAIN_PLANT, PROPER_HEADERS } from '../row.js';
import {
  accepts,
  created,
  type Demand,
  FAILURES,
  JSON_PARSERS,
  observed,
  observedRequest,
  REQUEST_BODY,
  REQUEST_JSON,
  rejected,
  rejects,
  rowsLike,
  type SentRow,
  type Topic,
} from '../rule.js';
import type { Template } from '../template.js';

/** A row with a body that does not fit into a table: a plant as JSON in another spelling, or what is none. */
function sent(
  expectation: Expectation,
  name: string,
  title: string,
  body: Template,
  mediaType?: string,
): SentRow {
  const headers = mediaType && ([PROPER_HEADERS[0], ['Content-Type', mediaType]] as const);
  return { name, title, expectation, requests: [{ body, ...(headers && { headers }) }] };
}

/** Everything that JSON allows between tokens (RFC 8259, section 2). */
const SPACE = ' \t\r\n';
const TOKENS = ['{', '"name"', ':', '"<NAME>"', ',', '"id"', ':', '<ID>', '}'];

const rules: readonly Demand[] = [
  accepts({
    id: 'request/spelling-of-json-is-ignored',
    level: 'implied',
    title:
      'White space, the order of members, and escapes in strings make no difference in the JSON of a plant.',
    source: REQUEST_JSON,
    why: 'The body is JSON. White space between tokens has no meaning, the members of an object have no order, and any letter may be written as an escape (RFC 8259, sections 2, 4 and 7). So these bodies are plain plants.',
    usualCause: 'The body is read with a regular expression or with a hand-written parser.',
    fix: 'Parse the body with a JSON library.',
    rows: [
      sent(
        'created',
        'json-with-white-space',
        'a plain plant with every kind of white space between all tokens',
        `${SPACE}${TOKENS.join(SPACE)}${SPACE}`,
      ),
      ...created(String.raw`
        json-in-another-order  a plain plant whose id comes before its name  {"id":<ID>,"name":"<NAME>"}
        json-with-escapes  a plain plant with letters of its name written as \u escapes  {"name":"<NAME ESCAPED>","id":<ID>}
        json-texts/letters-as-escapes  a plant with all letters of its tag written as \u escapes  {"name":"<NAME>","id":<ID>,"tag":"\u0073\u0075\u0063\u0063\u0075\u006C\u0065\u006E\u0074"}
        json-texts/tag-first  a plant whose tag comes first and whose name comes last  {"tag":"succulent","id":<ID>,"name":"<NAME>"}
        keys/order-name-tag-id  a plant whose keys are in the order name, tag, id  {"name":"<NAME>","tag":"succulent","id":<ID>}
        keys/order-id-tag-name  a plant whose keys are in the order id, tag, name  {"id":<ID>,"tag":"succulent","name":"<NAME>"}
        keys/order-tag-name-id  a plant whose keys are in the order tag, name, id  {"tag":"succulent","name":"<NAME>","id":<ID>}`),
    ],
  }),
  accepts({
    id: 'request/escaped-keys-are-accepted',
    level: 'implied',
    severity: 'warning',
    title: 'A key is the same key if its letters are written as \\u escapes.',
    source: REQUEST_JSON,
    why: 'Any letter of a JSON string may be written as an escape, and a key is a string (RFC 8259, sections 4 and 7). So this is a plain plant. Hardly any client writes keys so, so this is a warning.',
    usualCause: 'Keys are compared before their escapes are decoded.',
    fix: 'Parse the body with a JSON library.',
    rows: created(String.raw`
      keys/escaped  a plant with every letter of its keys written as a \u escape  {"\u006e\u0061\u006D\u0065":"<NAME>","\u0069\u0064":<ID>,"\u0074\u0061\u0067":"succulent"}`),
  }),
  rejects({
    id: 'request/body-is-required',
    everyday: true,
    about: 'required fields',
    title: 'A request without a body is rejected.',
    source: `${REQUEST_BODY}/required`,
    why: 'The request body is required.',
    usualCause: 'A missing body is read as an empty object, and its fields get default values.',
    fix: 'Reject a request without a body.',
    rows: [
      {
        ...sent('rejected', 'no-body', 'a request without a body', ''),
        observed: { id: 'empty-body', gap: FAILURES },
      },
    ],
  }),
  rejects({
    id: 'request/body-is-json',
    everyday: true,
    title: 'A body that is not JSON is rejected: plain text, a form, XML, or JSON that is cut off.',
    source: REQUEST_JSON,
    why: 'All bodies are JSON, so a body that is not JSON is not a NewPlant.',
    usualCause: 'Other media types are accepted too, or a body that cannot be read becomes an empty object.',
    fix: 'Accept only JSON, and reject a body that cannot be read.',
    rows: [
      {
        ...sent(
          'rejected',
          'malformed-json',
          'a plant without the closing brace',
          '{"name":"<NAME>","id":<ID>',
        ),
        rules: ['state/provider-keeps-responding'],
        observed: { subject: 'Malformed JSON', gap: FAILURES },
      },
      ...rejected('text-for-json  plain text as application/json  <NAME>'),
      ...[
        ['form-body', 'a URL-encoded form', 'name=<NAME>&id=<ID>', 'application/x-www-form-urlencoded'],
        ['xml-body', 'XML', '<plant><name><NAME></name><id><ID></id></plant>', 'application/xml'],
        ['json-texts/other-media-type', 'YAML', 'name: <NAME>\nid: <ID>\n', 'application/yaml'],
        ['json-texts/other-format', 'YAML, sent as JSON', 'name: <NAME>\nid: <ID>\n'],
      ].map(([name = '', what, body = '', mediaType]) =>
        sent('rejected', name, `a plant as ${what}`, body, mediaType),
      ),
    ],
  }),
  rejects({
    id: 'request/near-json-is-refused',
    level: 'implied',
    severity: 'warning',
    title: 'A body that is nearly JSON is rejected: with comments, single quotes or a comma at the end.',
    source: REQUEST_JSON,
    why: 'All bodies are JSON, and the grammar of JSON (RFC 8259, section 2) has none of these. Whoever accepts one has decided what it means, and two readers decide differently: a gateway in front of the provider may read another plant.',
    usualCause: 'A lenient parser accepts comments, single quotes, trailing commas or other numbers.',
    fix: 'Use a strict JSON parser, or switch its extensions off.',
    rows: rejected(`
      single-quotes        a plant in single quotes                    {'name':'<NAME>','id':<ID>}
      trailing-comma       a plant with a comma after its last member  {"name":"<NAME>","id":<ID>,}
      comment-in-json      a plant with a comment in its JSON          {"name":"<NAME>",/* */"id":<ID>}
      json-texts/keys-without-quotes  a plant whose keys have no quotes  {name:"<NAME>",id:<ID>}
      json-texts/no-comma  a plant without a comma between its members  {"name":"<NAME>" "id":<ID>}
      json-texts/two-braces  a plant with two opening braces              {{"name":"<NAME>","id":<ID>,"tag":"succulent"}
      json-texts/two-commas  a plant with two commas between its members  {"name":"<NAME>",,"id":<ID>}
      json-texts/capital-literal  a plant with the word True in an unknown field  {"name":"<NAME>","id":<ID>,"colour":True}
      json-texts/unquoted-string  a plant with a word without quotes in an unknown field  {"name":"<NAME>","id":<ID>,"colour":green}
      json-texts/comma-before-bracket  a plant with a comma after the last item of an array in an unknown field  {"name":"<NAME>","id":<ID>,"colour":[1,]}
      json-texts/other-value  a plant with a number without its first digit in an unknown field  {"name":"<NAME>","id":<ID>,"colour":.5}
      json-texts/leading-zero  a plant whose id has a leading zero         {"name":"<NAME>","id":0<ID>}
      json-texts/plus-sign     a plant whose id has a plus sign            {"name":"<NAME>","id":+<ID>}
      json-texts/arabic-digit  a plant whose id ends with an Arabic digit  {"name":"<NAME>","id":<ID>٣}
      json-texts/other-id      a plant whose id begins with 0x             {"name":"<NAME>","id":0x<ID>}
      json-texts/escape-x      a plant whose name has the escape \\x41     {"name":"<NAME>\\x41","id":<ID>}
      json-texts/escaped-quote  a plant whose name has an escaped single quote  {"name":"<NAME>\\'s","id":<ID>}
      json-texts/form-feed     a plant with a form feed as white space     {"name":"<NAME>",\f"id":<ID>}
      json-texts/line-break    a plant whose name has a line break that is not escaped  {"name":"<NAME><BYTES 0a>vera","id":<ID>}
      json-texts/line-comment  a plant with a // comment in its JSON       {"name":"<NAME>", // a name<BYTES 0a>"id":<ID>}
      json-texts/prefix        a plant after the prefix )]}'               )]}'<BYTES 0a>${PLAIN_PLANT}
      json-texts/prefix-with-comma  a plant after the prefix )]}',         )]}',<BYTES 0a>${PLAIN_PLANT}`),
  }),
  rejects({
    id: 'request/nothing-follows-the-json',
    level: 'implied',
    severity: 'warning',
    title: 'A body with something after the JSON of a plant is rejected.',
    source: REQUEST_JSON,
    why: 'All bodies are JSON, and a JSON text is one value with nothing but white space around it (RFC 8259, section 2). So such a body is not JSON, although it begins like it. A provider that ignores the rest may lose data without telling the client.',
    usualCause: 'A streaming decoder reads one value and ignores the rest of the body.',
    fix: 'Check that nothing follows the value.',
    rows: rejected(`
      text-after-json         a plant with a word after its JSON           ${PLAIN_PLANT} aloe
      two-json-texts          the JSON of a plant twice in one body        ${PLAIN_PLANT}${PLAIN_PLANT}
      json-texts/brace-after  a plant with a closing brace after its JSON  ${PLAIN_PLANT}}
      json-texts/comma-after  a plant with a comma after its JSON          ${PLAIN_PLANT},
      json-texts/nul-after    a plant with the character U+0000 after its JSON  ${PLAIN_PLANT}\0`),
  }),
];

/** Spellings of one plant, and texts that are not the JSON of a plant. */
export const jsonTexts: Topic = {
  rules,
  open: [
    observedRequest(JSON_PARSERS, 'byte-order-mark', 'a plain plant after a byte-order mark', {
      body: `\ufeff${PLAIN_PLANT}`,
      plant: { name: '<NAME>', id: '<ID>' },
    }),
    ...observed(JSON_PARSERS)(String.raw`
      lone-surrogate   a plant whose name has half a surrogate pair      {"name":"<NAME>\ud800","id":<ID>}
      malformed-utf-8  a plant whose name has a byte that is not UTF-8   {"name":"<NAME><BYTES e9>","id":<ID>}
      not-a-number     a plain plant with NaN in an unknown field        {"name":"<NAME>","id":<ID>,"colour":NaN}`),
    // Names that a provider may reject, in an unusual spelling. If one is accepted, it comes back as it is meant.
    ...rowsLike({ expectation: 'open', rules: ['success/texts-come-back'] })(String.raw`
      json-texts/short-escapes    a plant whose name has every short escape  {"name":"<NAME> \" \\ \/ \b\f\n\r\t","id":<ID>}
      json-texts/surrogate-pairs  a plant whose name has characters above U+FFFF as \u escapes, and as they are  {"name":"<NAME> \ud83c\udf35\uD83C\uDF35🌵 \u00e9\u00E9é","id":<ID>}
      json-texts/name-like-json   a plant whose name has comments, commas and brackets in it  {"name":"<NAME> // a /* b */ # c ,} ,] {'d':1}","id":<ID>}`),
  ],
};
