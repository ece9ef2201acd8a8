import { words } from '../row.js';
import { COMMON, LIKE_ID, LIKE_NAME, LIKE_TAG, METHODS, ODD_KEYS } from '../topics/key-values.js';

/** A key in another case, with a letter less, and with a character after it that some programs ignore. */
function around(key: string): readonly string[] {
  const capitalised = key.charAt(0).toUpperCase() + key.slice(1);
  const ignored = [...'\0\u200b\u00ad\ufeff\u0301'].map((one) => key + one);
  return [capitalised, key.toUpperCase(), key.slice(0, -1), ...ignored];
}

/** Keys that a careless reader takes for that of a field. */
export const LIKE = {
  name: [...around('name'), ...LIKE_NAME],
  id: [...around('id'), ...LIKE_ID],
  tag: [...around('tag'), ...LIKE_TAG],
};

/** Keys that mean something to languages, frameworks and databases, and odd ones. */
export const KEYS: readonly string[] = [
  ...words('__proto__ prototype _id ID Id label plant body item $numberLong $where $set $gt $type null'),
  ...[...METHODS, ...COMMON.map(([key]) => key), ...ODD_KEYS],
];

/** JSON values, the empty ones first, then those that a reader converts to a field, and then what is almost JSON. */
export const VALUES: readonly string[] =
  words(String.raw`null false 0 "" [] {} true -0 0.0 0e0 1 -1 1.5 -0.5 1e-7 1e400 9007199254740993 9223372036854775808
  "<NAME>" "<ID>" <ID> <ID>.0 <ID>.5 <ID>e0 -<ID> <ID>.999 <ID>.0001 2147483646.5 4503599627370495.5 "<ID>.0" "<ID>e0" "+<ID>" "-<ID>"
  "0<ID>" "0x<ID>" "<ID>L" "<ID>," "[<ID>]" "<ID>\n" "id-<ID>" "٣" "1e3" "NaN" "five" {"":""} {"$gt":""} {"name":"<NAME>"} {"<NAME>":null}
  {"0":"<NAME>"} {"toString":"<NAME>"} {"id":<ID>} {"low":<ID>,"high":0} {"$oid":"<ID>"} {"#text":"<ID>"} ["<NAME>",<ID>]
  [{"name":"<NAME>"}] {"name":"Fern","id":<ID>5,"tag":"fern"} {"a":{"b":[1]}}
  True green [1,] .5 undefined None NULL 'a' "a"+"b" /a/ (1) <a/> @a &a [,1] [1,,2] [1;2] [ [[1] {,} {"a":1,} {a:1} {'a':1} {"a"} {"a":}
  {"a":1;"b":2} 01 +1 1. - -.5 0x1F 0b1 0o7 1_000 1e --1 1.2.3 1n 1f ½ ٣ "\u00g0" "\U0041" "\'" "\"`);

/** What programs ignore or read as something else between two tokens, in a string, or around the text. */
export const WORDS: readonly string[] = [
  ...['', ' ', ' // a name\n', '\nvera', '/* a */', ' # a name\n', ")]}'\n", '\r\n0\r\n\r\n'],
  ...words(String.raw`, " /* // {"a"} callback( \x41 \'s \a \0 \v \e \1 \u \u12 \u12G4 \u{41} \U0041 \N{DASH} \ ' [ ( { } ] ) : = => ; . + - 0 0x
  00 -- . L .e1 e n _000 ,000 null {} a`),
  ...'\f\0\x01\x08\v\x1a\x1e\x1f\x7f\u0085\u00a0\u00ad\u1680\u2003\u2028\u200b\u3000\ufeff\ufffe٣１“',
];
