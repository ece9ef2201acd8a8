import type * as FastCheck from 'fast-check';
import { type Classified, classify } from '../oracle.js';
import { type Row, words } from '../row.js';
import { rowsOf } from '../rule.js';
import type { Template } from '../template.js';
import { topics } from '../topics/index.js';
import { moreTokens } from '../topics/tokens.js';
import { idValues } from '../values/ids.js';
import { COMMON, LIKE_ID, LIKE_NAME, LIKE_TAG, METHODS, ODD_KEYS } from '../values/keys.js';
import { stringClasses } from '../values/string-classes.js';

/** A body, and the bounds of its fresh ids. */
interface Body {
  readonly body: Template;
  readonly ids?: Row['ids'];
}

/** How often rows of a topic are drawn that does not say so. */
const OFTEN = 3;

/**
 * Draws rows: one of the topics, often with another body, or another token. The simplest rows, and the simplest values of a list,
 * are first.
 *
 * @param fc fast-check, which draws, and makes what fails small
 */
export function drawRows(fc: typeof FastCheck): FastCheck.Arbitrary<Row> {
  const changed = fc
    .tuple(drawRow(fc), fc.option(drawBody(fc), { freq: 3 }))
    .map(([row, body]) => (body === null ? row : withBody(row, body)));
  return fc.oneof(
    { weight: 7, arbitrary: changed },
    { weight: 1, arbitrary: fc.constantFrom(...moreTokens) },
  );
}

/** A row of the topics with one request, as often as its topic says. */
function drawRow(fc: typeof FastCheck): FastCheck.Arbitrary<Row> {
  const choices = topics.flatMap((topic) => {
    const rows = rowsOf(topic).filter(isOne).map(asDrawn);
    return rows.length === 0 ? [] : [{ weight: topic.drawn ?? OFTEN, arbitrary: fc.constantFrom(...rows) }];
  });
  return fc.oneof(...choices);
}

/** What is deep or very long may stop the provider, and is not drawn. */
function isOne({ requests, phase }: Row): boolean {
  const [request] = requests;
  if (requests.length !== 1 || request === undefined || phase === 'heavy') return false;
  return request.otherOperation === undefined && !/<(?:BYTES|PAD|TOKEN|WRONG)/.test(request.body);
}

/** A row without what only a check needs. */
function asDrawn({ parts: _, early: __, ...row }: Row): Row {
  return { ...row, name: 'drawn/1' };
}

/** A row with another body. What it must get is what the interface says about the body, if nothing else in it is unusual. */
function withBody(row: Row, { body, ids }: Body): Row {
  const [request] = row.requests;
  if (request === undefined) return row;
  const { ids: _, ...others } = row;
  const bounded = { ...others, title: `a drawn body, sent like ${row.title}`, ...(ids && { ids }) };
  // Without the right token in its place, nothing may be accepted, whatever the body is.
  if (row.phase === 'wrong-token') return { ...bounded, requests: [{ ...request, body }] };
  const { plant: __, expectation: ___, ...kept } = request;
  const { expectation, rules, idMayExist } = saidOf(body, ids);
  const { rare: _rare, ...usual } = bounded;
  const changed = {
    ...usual,
    requests: [{ ...kept, body, ...(idMayExist && { idMayExist }) }],
  };
  // A provider may have a policy for what else is in such a request.
  const isOpen = row.expectation !== 'created' && Object.keys(kept).some((key) => key !== 'body');
  if (isOpen) return { ...changed, expectation: 'open', rules: [] };
  const ofRejection = expectation === 'rejected' ? ['failure/text-stays-in-the-body'] : [];
  return { ...changed, expectation, rules: [...rules, ...ofRejection] };
}

const USUAL_IDS = ['2147483645', '2147483645'] as const;

/** What the interface says about a body. Where it has an id that is made of another, a number is in its place. */
function saidOf(body: Template, [lowest]: NonNullable<Row['ids']> = USUAL_IDS): Classified {
  const filled = body.replace(/<ID(?:\*(\d+))?(\+\d+)?>/g, (all, times, plus) =>
    times === undefined && plus === undefined
      ? all
      : String(BigInt(lowest) * BigInt(times ?? 1) + BigInt(plus ?? 0)),
  );
  return classify(filled);
}

const quoted = JSON.stringify;

/** Draws the body of a plant with a few changes: of its values, its keys, and the text as a whole. */
function drawBody(fc: typeof FastCheck): FastCheck.Arbitrary<Body> {
  const usual = <T>(weight: number, ...values: readonly T[]) => ({
    weight,
    arbitrary: fc.constantFrom(...values),
  });
  const text = { weight: 3, arbitrary: drawText(fc).map((one) => quoted(one)) };
  const value = { weight: 1, arbitrary: drawValue(fc) };
  const key = (field: keyof typeof LIKE) => fc.oneof(usual(12, field), usual(1, ...LIKE[field]));
  const id = fc.oneof(
    usual<Body>(8, { body: '<ID>' }),
    { weight: 3, arbitrary: drawId(fc) },
    { weight: 1, arbitrary: value.arbitrary.map((body): Body => ({ body })) },
  );
  // A value that is nothing leaves the member out.
  const member = (field: 'name' | 'tag', ...values: readonly string[]) =>
    fc.tuple(key(field), fc.oneof(usual(8, ...values), text, value));
  const name = member('name', '"<NAME>"');
  const tag = member('tag', '', '"succulent"');
  const other = fc.tuple(fc.oneof(usual(3, ''), usual(1, ...KEYS)), fc.oneof(text, value));
  return fc
    .tuple(name, fc.tuple(key('id'), id), tag, other, fc.array(drawEdit(fc), { maxLength: 1 }))
    .map(([ofName, [idKey, { body: idText, ids }], ofTag, [otherKey, otherValue], edits]) => {
      const unknown = otherKey === '' ? '' : otherValue;
      const members = [ofName, [idKey, idText], ofTag, [otherKey, unknown]] as const;
      const written = members.flatMap(([own, json]) => (json === '' ? [] : [`${quoted(own)}:${json}`]));
      const body = edits.reduce((now, edit) => edit(now), `{${written}}`);
      return { body, ...(ids && { ids }) };
    });
}

/** Texts that programs treat in a special way, alone or side by side. A name is often fresh, because names may have to be unique. */
function drawText(fc: typeof FastCheck): FastCheck.Arbitrary<Template> {
  const known = fc.oneof(...stringClasses.map(({ texts }) => fc.constantFrom(...texts)));
  const joined = stringClasses.filter(({ joins }) => joins === true);
  const piece = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('<NAME>', 'a') },
    { weight: 5, arbitrary: fc.oneof(...joined.map(({ texts }) => fc.constantFrom(...texts))) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }) },
  );
  const pieces = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  return fc.oneof(known, pieces);
}

/** Ids of a pattern, near the powers of 2 and 10, or outside int64. */
function drawId(fc: typeof FastCheck): FastCheck.Arbitrary<Body> {
  const known = fc.constantFrom(...idValues).map(({ id, ids }): Body => ({ body: id, ids }));
  const power = fc.oneof(
    fc.nat({ max: 70 }).map((exponent) => 2n ** BigInt(exponent)),
    fc.nat({ max: 25 }).map((exponent) => 10n ** BigInt(exponent)),
  );
  const ends = fc.constantFrom('', '.0', 'e0', 'e2', 'E+19');
  const literal = fc
    .tuple(fc.constantFrom(1n, -1n), power, fc.integer({ min: -2, max: 2 }), ends)
    .map(([sign, base, more, end]): Body => ({ body: `${sign * (base + BigInt(more))}${end}` }));
  return fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: literal });
}

/** A JSON value, one in an array or an object, or what is almost one. The simplest is an empty one. */
function drawValue(fc: typeof FastCheck): FastCheck.Arbitrary<Template> {
  const leaf = fc.constantFrom(...VALUES);
  const key = fc.constantFrom('value', ...KEYS).map((one) => quoted(one));
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.tuple(key, leaf).map(([one, json]) => `{${one}:${json}}`) },
    { weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }).map((items) => `[${items.join(',')}]`) },
  );
}

/** Placeholders, escapes, words, runs of white space, and other characters: a string is a quote, these, and a quote. */
const TOKEN = /<[A-Z][^>]*>|\\.|\w+|\s+|./gsu;

/** A word at any place of a text: between two tokens, instead of one or of all that follow, or at the end. */
function drawEdit(fc: typeof FastCheck): FastCheck.Arbitrary<(body: Template) => Template> {
  const removed = fc.constantFrom(0, 0, 0, 1, 1, Number.POSITIVE_INFINITY);
  return fc.tuple(fc.constantFrom(...WORDS), fc.nat({ max: 30 }), removed).map(
    ([word, at, count]) =>
      (body) =>
        (body.match(TOKEN) ?? []).toSpliced(at, count, word).join(''),
  );
}

/** A key in another case, with a letter less, and with a character after it that some programs ignore. */
function around(key: string): readonly string[] {
  const capitalised = key.charAt(0).toUpperCase() + key.slice(1);
  const ignored = [...'\0\u200b\u00ad\ufeff\u0301'].map((one) => key + one);
  return [capitalised, key.toUpperCase(), key.slice(0, -1), ...ignored];
}

/** Keys that a careless reader takes for that of a field. */
const LIKE = {
  name: [...around('name'), ...LIKE_NAME],
  id: [...around('id'), ...LIKE_ID],
  tag: [...around('tag'), ...LIKE_TAG],
};

/** Keys that mean something to languages, frameworks and databases, and odd ones. */
const KEYS: readonly string[] = [
  ...words('__proto__ prototype _id ID Id label plant body item $numberLong $where $set $gt $type null'),
  ...[...METHODS, ...COMMON.map(([key]) => key), ...ODD_KEYS],
];

/** JSON values, the empty ones first, then those that a reader converts to a field, and then what is almost JSON. */
const VALUES: readonly string[] =
  words(String.raw`null false 0 "" [] {} true -0 0.0 0e0 1 -1 1.5 -0.5 1e-7 1e400 9007199254740993 9223372036854775808
  "<NAME>" "<ID>" <ID> <ID>.0 <ID>.5 <ID>e0 -<ID> <ID>.999 <ID>.0001 2147483646.5 4503599627370495.5 "<ID>.0" "<ID>e0" "+<ID>" "-<ID>"
  "0<ID>" "0x<ID>" "<ID>L" "<ID>," "[<ID>]" "<ID>\n" "id-<ID>" "٣" "1e3" "NaN" "five" {"":""} {"$gt":""} {"name":"<NAME>"} {"<NAME>":null}
  {"0":"<NAME>"} {"toString":"<NAME>"} {"id":<ID>} {"low":<ID>,"high":0} {"$oid":"<ID>"} {"#text":"<ID>"} ["<NAME>",<ID>]
  [{"name":"<NAME>"}] {"name":"Fern","id":<ID>5,"tag":"fern"} {"a":{"b":[1]}}
  True green [1,] .5 undefined None NULL 'a' "a"+"b" /a/ (1) <a/> @a &a [,1] [1,,2] [1;2] [ [[1] {,} {"a":1,} {a:1} {'a':1} {"a"} {"a":}
  {"a":1;"b":2} 01 +1 1. - -.5 0x1F 0b1 0o7 1_000 1e --1 1.2.3 1n 1f ½ ٣ "\u00g0" "\U0041" "\'" "\"`);

/** What programs ignore or read as something else between two tokens, in a string, or around the text. */
const WORDS: readonly string[] = [
  ...['', ' ', ' // a name\n', '\nvera', '/* a */', ' # a name\n', ")]}'\n", '\r\n0\r\n\r\n'],
  ...words(String.raw`, " /* // {"a"} callback( \x41 \'s \a \0 \v \e \1 \u \u12 \u12G4 \u{41} \U0041 \N{DASH} \ ' [ ( { } ] ) : = => ; . + - 0 0x
  00 -- . L .e1 e n _000 ,000 null {} a`),
  ...'\f\0\x01\x08\v\x1a\x1e\x1f\x7f\u0085\u00a0\u00ad\u1680\u2003\u2028\u200b\u3000\ufeff\ufffe٣１“',
];
