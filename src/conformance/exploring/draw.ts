import type * as FastCheck from 'fast-check';
import { type Classified, classify } from '../oracle.js';
import type { RequestRow, Row } from '../probe.js';
import type { Template } from '../template.js';
import { idValues } from '../topics/id-values.js';
import { families } from '../topics/index.js';
import {
  AFTER_TEXT,
  asEscapes,
  BAD_IDS,
  BAD_VALUES,
  BEFORE_TEXT,
  BETWEEN,
  IN_STRINGS,
  INSTEAD,
} from '../topics/json-text-values.js';
import { KEYS, OTHER_VALUES, wrongKeysFor } from '../topics/key-values.js';
import { MARKS, stringClasses } from '../topics/string-classes.js';
import { moreTokens } from '../topics/tokens.js';
import { CONVERTIBLE, EMPTY } from '../topics/types.js';

/** A change of the body. */
interface Change {
  /** After "with". */
  readonly what: string;
  readonly edit: (body: Template) => Template;
  /** The bounds of its fresh ids; `null`: the usual ones. */
  readonly ids?: Row['ids'] | null;
}

/** How often a row of each family is changed. The others take long, or lock clients out. */
const OFTEN: Readonly<Record<string, number>> = { plain: 8, tokens: 1, transport: 1 };
const FIELDS = ['name', 'id', 'tag'] as const;
const RIGHT = ['"<NAME>"', '<ID>', '"succulent"', '"<ID>"', '{"name":"<NAME>","id":<ID>}'];

/**
 * Draws rows: one of the topics with up to three changes of its body, or another token. Fewer changes are simpler, and so is what
 * stands first in a list.
 *
 * @param fc fast-check, which draws, and makes what fails small
 */
export function drawRows(fc: typeof FastCheck): FastCheck.Arbitrary<Row> {
  const changed = fc
    .tuple(drawRow(fc), fc.array(drawChange(fc), { maxLength: 3 }))
    .map(([row, changes]) => changes.reduce(withChange, row));
  return fc.oneof(
    { weight: 5, arbitrary: changed },
    { weight: 1, arbitrary: fc.constantFrom(...moreTokens) },
  );
}

/** A row of the topics with one request, as often as {@link OFTEN} says. */
function drawRow(fc: typeof FastCheck): FastCheck.Arbitrary<Row> {
  const choices = Object.entries(families).flatMap(([family, all]) => {
    const rows = all.filter(isOne).map((row) => asDrawn(family, row));
    return rows.length === 0 ? [] : [{ weight: OFTEN[family] ?? 3, arbitrary: fc.constantFrom(...rows) }];
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
function asDrawn(family: string, row: Row): Row {
  const { parts: _, ...rest } = row;
  return { ...rest, name: `${family}/drawn` };
}

/** Makes a change of a row. What it must get is what the interface says about its body, if nothing else in it is unusual. */
function withChange(row: Row, { what, edit, ids = row.ids }: Change): Row {
  const [request] = row.requests;
  if (request === undefined) return row;
  const body = edit(request.body);
  const { ids: _, ...others } = row;
  const bounded = { ...others, title: `${row.title}, with ${what}`, ...(ids && { ids }) };
  // Without the right token in its place, nothing may be accepted, whatever the body is.
  if (row.phase === 'wrong-token') return { ...bounded, requests: [{ ...request, body }] };
  const { plant: __, expectation: ___, ...kept } = request;
  const { expectation, rules, idMayExist } = saidOf(body, ids ?? undefined);
  const changed = { ...bounded, requests: [{ ...kept, body, ...(idMayExist && { idMayExist }) }] };
  // A provider may have a policy for what else is in such a request, or for such ids.
  const isOpen = row.expectation === 'open' && !(expectation === 'rejected' && isOnlyBody(request));
  if (isOpen) return { ...changed, rules: [] };
  const ofRejection = expectation === 'rejected' ? ['failure/text-stays-in-the-body'] : [];
  return { ...changed, expectation, rules: [...rules, ...ofRejection] };
}

function isOnlyBody(request: RequestRow): boolean {
  return Object.keys(request).every((key) => key === 'body' || key === 'plant');
}

const USUAL_IDS = ['2147483645', '2147483645'] as const;

/** What the interface says about a body. Where it has an id that is made of another, a number is in its place. */
function saidOf(body: Template, [lowest]: NonNullable<Row['ids']> = USUAL_IDS): Classified {
  const filled = body
    .replace(/<ID\d*(?:\*(-?\d+))?([+-]\d+)?>/g, (all, times, plus) =>
      times === undefined && plus === undefined
        ? all
        : String(BigInt(lowest) * BigInt(times ?? 1) + BigInt(plus ?? 0)),
    )
    .replace(/<REPEAT (\d+) ([^>]+)>/g, (_, count, text) => text.repeat(Number(count)));
  return classify(filled);
}

function drawChange(fc: typeof FastCheck): FastCheck.Arbitrary<Change> {
  const of = <T>(weight: number, drawn: FastCheck.Arbitrary<T>, change: (drawn: T) => Change) => ({
    weight,
    arbitrary: drawn.map(change),
  });
  const field = fc.constantFrom(...FIELDS);
  const value = drawValue(fc);
  const key = fc.constantFrom(...KEYS);
  const other = fc.oneof(fc.constantFrom(...OTHER_VALUES), value);
  const wrongKey = field.chain((one) => fc.tuple(fc.constant(one), fc.constantFrom(...wrongKeysFor(one))));
  return fc.oneof(
    of(8, fc.tuple(fc.constantFrom('name', 'tag'), drawText(fc)), ([one, text]) =>
      anotherValue(one, one, JSON.stringify(text)),
    ),
    { weight: 4, arbitrary: drawId(fc) },
    of(4, fc.tuple(field, value), ([one, json]) => anotherValue(`JSON value as its ${one}`, one, json)),
    of(3, fc.tuple(key, other), ([one, json]) => anotherValue('member', one, json)),
    of(2, wrongKey, ([one, wrong]) => ({
      what: `another key for its ${one}`,
      edit: withMembers((all) => all.map(([own, json]) => [own === quoted(one) ? quoted(wrong) : own, json])),
    })),
    of(1, field, (one) => ({
      what: `no ${one}`,
      edit: withMembers((all) => all.filter(([own]) => own !== quoted(one))),
    })),
    of(3, fc.constantFrom(...BAD_VALUES), (json) =>
      anotherValue('value that is almost JSON', 'colour', json),
    ),
    of(3, fc.constantFrom(...BAD_IDS), (json) => anotherValue('id that is almost a number', 'id', json)),
    { weight: 8, arbitrary: drawEdit(fc) },
  );
}

const quoted = JSON.stringify;

/** A member with another value, or one more at the end. */
function anotherValue(what: string, key: string, json: Template): Change {
  const put = (all: readonly Member[]): readonly Member[] => {
    const isThere = all.some(([own]) => own === quoted(key));
    return isThere
      ? all.map(([own, old]) => [own, own === quoted(key) ? json : old])
      : [...all, [quoted(key), json]];
  };
  return { what: `another ${what}`, edit: withMembers(put) };
}

/** Texts that programs treat in a special way, alone or side by side. A name is often fresh, because names may have to be unique. */
function drawText(fc: typeof FastCheck): FastCheck.Arbitrary<Template> {
  const known = fc.oneof(...stringClasses.map(({ texts }) => fc.constantFrom(...texts)));
  const joined = stringClasses.filter(({ joins }) => joins === true);
  const piece = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('<NAME>', 'a') },
    { weight: 4, arbitrary: fc.oneof(...joined.map(({ texts }) => fc.constantFrom(...texts))) },
    { weight: 2, arbitrary: fc.constantFrom(...MARKS) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }) },
  );
  const pieces = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  return fc.oneof({ weight: 3, arbitrary: known }, { weight: 4, arbitrary: pieces });
}

/** Ids of a pattern, near the powers of 2 and 10, or outside int64. */
function drawId(fc: typeof FastCheck): FastCheck.Arbitrary<Change> {
  const known = fc
    .constantFrom(...idValues)
    .map(({ id, ids = null }) => ({ ...anotherValue('id', 'id', id), ids }));
  const power = fc.oneof(
    fc.nat({ max: 70 }).map((exponent) => 2n ** BigInt(exponent)),
    fc.nat({ max: 25 }).map((exponent) => 10n ** BigInt(exponent)),
  );
  const ends = fc.constantFrom('', '.0', 'e0', 'e2', 'E+19');
  const literal = fc
    .tuple(fc.constantFrom(1n, -1n), power, fc.integer({ min: -2, max: 2 }), ends)
    .map(([sign, base, more, end]) => anotherValue('id', 'id', `${sign * (base + BigInt(more))}${end}`));
  return fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: literal });
}

/** Any JSON value, often with a right one in it. The simplest is an empty one. */
function drawValue(fc: typeof FastCheck): FastCheck.Arbitrary<Template> {
  const leaf = fc.constantFrom(...EMPTY, ...CONVERTIBLE);
  const inner = fc.oneof(leaf, fc.constantFrom(...RIGHT));
  const key = fc.constantFrom('value', '$numberLong', ...KEYS).map((one) => quoted(one));
  return fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 2, arbitrary: fc.tuple(key, inner).map(([one, json]) => `{${one}:${json}}`) },
    { weight: 2, arbitrary: fc.array(inner, { maxLength: 3 }).map((items) => `[${items.join(',')}]`) },
  );
}

type Tokens = readonly string[];

/** A word in the wrong place: between two tokens, in a string, around the text, or instead of a token; or a token less. */
function drawEdit(fc: typeof FastCheck): FastCheck.Arbitrary<Change> {
  const of = (
    weight: number,
    words: readonly string[],
    edit: (tokens: Tokens, at: number, word: string) => Tokens,
  ) => ({
    weight,
    arbitrary: fc.tuple(fc.constantFrom(...words), fc.nat({ max: 30 })).map(
      ([word, at]): Change => ({
        what: 'wrong tokens in its JSON',
        edit: (body) => {
          const tokens = tokensOf(body);
          return tokens.length === 0 ? body : edit(tokens, at % tokens.length, word).join('');
        },
      }),
    ),
  });
  const insteadOf = Object.entries(INSTEAD);
  return fc.oneof(
    of(3, BETWEEN, (tokens, at, word) => tokens.toSpliced(at, 0, word)),
    of(3, IN_STRINGS, (tokens, at, word) =>
      changedFrom(tokens, at, (one) => one.replace(/"$/, () => `${word}"`)),
    ),
    of(1, BEFORE_TEXT, (tokens, _, word) => [word, ...tokens]),
    of(1, AFTER_TEXT, (tokens, _, word) => [...tokens, word]),
    of(
      3,
      insteadOf.flatMap(([, instead]) => instead),
      (tokens, at, word) => {
        const written = insteadOf.find(([, instead]) => instead.includes(word))?.[0] ?? word;
        return changedFrom(tokens, at, (one) => one.replaceAll(written, word));
      },
    ),
    of(1, [''], (tokens, at) =>
      changedFrom(tokens, at, (one) => one.replace(/(?<=^")[a-z]+(?="$)/, (key) => asEscapes(key))),
    ),
    of(1, [''], (tokens, at) => tokens.slice(0, at)),
    of(1, [''], (tokens, at) => tokens.toSpliced(at, 1)),
  );
}

/** Changes the first token, from this place on and then from the beginning, that the change does not leave as it is. */
function changedFrom(tokens: Tokens, from: number, change: (token: string) => string): Tokens {
  const places = tokens.map((_, at) => (from + at) % tokens.length);
  const place = places.find((at) => change(tokens[at] ?? '') !== tokens[at]);
  return tokens.map((token, at) => (at === place ? change(token) : token));
}

/** Strings, placeholders, structural characters, runs of white space, and what stands between them. */
const TOKEN = /"(?:\\.|[^"\\])*"|<[A-Z][^>]*>|[{}[\]:,]|\s+|(?:(?!<[A-Z])[^\s"{}[\]:,])+|./gsu;

/** The tokens of a body, also of one that is not JSON: together they are the body. */
function tokensOf(body: Template): Tokens {
  return body.match(TOKEN) ?? [];
}

/** A key as it is written, with its quotes, and its value. */
type Member = readonly [key: string, value: Template];

/** A change of the members of a body. One that is no object stays as it is. */
function withMembers(change: (members: readonly Member[]) => readonly Member[]): Change['edit'] {
  return (body) => {
    const members = membersOf(body);
    return (members && `{${change(members).map(([key, value]) => `${key}:${value}`)}}`) || body;
  };
}

/** The members of the object that a body is. `undefined` if it is none. */
function membersOf(body: Template): readonly Member[] | undefined {
  const [, inside] = /^\s*\{(.*)\}\s*$/s.exec(body) ?? [];
  if (inside === undefined) return undefined;
  const members: string[][] = [[]];
  let depth = 0;
  for (const token of tokensOf(inside)) {
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (token === ',' && depth === 0) members.push([]);
    else members.at(-1)?.push(token);
  }
  const pairs = members.map((tokens): Member => {
    const colon = tokens.indexOf(':');
    return [tokens.slice(0, colon).join('').trim(), tokens.slice(colon + 1).join('')];
  });
  return pairs.every(([key]) => key.startsWith('"')) ? pairs : undefined;
}
