import type * as FastCheck from 'fast-check';
import { type Classified, classify } from '../oracle.js';
import type { RequestRow, Row } from '../probe.js';
import type { Template } from '../template.js';
import { idValues } from '../topics/id-values.js';
import { families, topics } from '../topics/index.js';
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
import { drawnOf } from '../topics/topic.js';
import { CONVERTIBLE, EMPTY } from '../topics/types.js';
import { membersOf, tokensOf, withKey, withMember, withoutMember } from './body.js';

/** A change of the body, or of how it is sent. */
interface Change {
  /** After "with". */
  readonly what: string;
  readonly body?: (body: Template) => Template;
  readonly request?: Partial<RequestRow>;
  /** The bounds of its fresh ids; `null`: the usual ones. */
  readonly ids?: Row['ids'] | null;
}

/** How often a row of each family is changed. The others take long, or lock clients out. */
const OFTEN: Readonly<Record<string, number>> = {
  plain: 8,
  tokens: 1,
  transport: 1,
  sequences: 1,
  volume: 1,
};
const FIELDS = ['name', 'id', 'tag'] as const;
const RIGHT = ['"<NAME>"', '<ID>', '"succulent"', '"<ID>"', '{"name":"<NAME>","id":<ID>}'];
const SPACES = [' ', '\n', '\t', '\r', ' \t\r\n', ' '.repeat(40)];
/** How many requests a drawn sequence has at most. */
const LONGEST = 12;

/**
 * Draws rows: one of the topics, with up to three changes; one for which a check has no time; or several rows at once or in turn.
 * Fewer changes are simpler, and so is what stands first in a list.
 *
 * @param fc fast-check, which draws, and makes what fails small
 */
export function drawRows(fc: typeof FastCheck): FastCheck.Arbitrary<Row> {
  const changes = fc.array(drawChange(fc), { maxLength: 3 });
  const changed = fc.tuple(drawFrom(fc, isOne), changes).map(([row, all]) => all.reduce(withChange, row));
  const unchanged = drawFrom(fc, ({ requests, phase }) => requests.length > 1 && phase !== 'heavy');
  return fc.oneof(
    { weight: 20, arbitrary: changed },
    { weight: 4, arbitrary: drawFurther(fc) },
    { weight: 1, arbitrary: unchanged },
    { weight: 1, arbitrary: drawSequence(fc) },
  );
}

/** A row of the topics that fits, as often as {@link OFTEN} says. */
function drawFrom(fc: typeof FastCheck, fits: (row: Row) => boolean): FastCheck.Arbitrary<Row> {
  const choices = Object.entries(families).flatMap(([family, core]) => {
    const rows = core.filter(fits).map((row) => asDrawn(family, row));
    return rows.length === 0 ? [] : [{ weight: OFTEN[family] ?? 3, arbitrary: fc.constantFrom(...rows) }];
  });
  return fc.oneof(...choices);
}

/** A row without what only a check needs. */
function asDrawn(family: string, row: Row): Row {
  const { parts: _, ifRejected: __, ...rest } = row;
  return { ...rest, name: `${family}/drawn` };
}

/** What is deep or very long may stop the provider, and is not drawn. */
function isOne({ requests, phase }: Row): boolean {
  const [request] = requests;
  if (requests.length !== 1 || request === undefined || phase === 'heavy') return false;
  return request.otherOperation === undefined && !/<(?:BYTES|PAD|TOKEN|WRONG)/.test(request.body);
}

/** The rows for which a check has no time, of each rule as often as of another. */
function drawFurther(fc: typeof FastCheck): FastCheck.Arbitrary<Row> {
  return fc.oneof(...topics.flatMap(drawnOf).map((rows) => fc.constantFrom(...rows)));
}

/** Several plants, valid and invalid ones, on one connection, in turn or all at once. */
function drawSequence(fc: typeof FastCheck): FastCheck.Arbitrary<Row> {
  const bodies = drawFrom(fc, (row) => isOne(row) && isOnlyBody(row.requests[0]));
  return fc
    .tuple(
      fc.array(bodies, { minLength: 2, maxLength: LONGEST }),
      fc.constantFrom<Partial<Row>>({}, { oneConnection: true }, { together: true }),
    )
    .map(([rows, how]) => ({
      name: how.together === true ? 'volume/drawn' : 'sequences/drawn',
      title: 'plants of many kinds',
      expectation: 'open',
      rules: [
        how.together === true ? 'state/concurrent-plants-are-accepted' : 'state/bad-request-spoils-nothing',
      ],
      phase: 'state',
      ...how,
      requests: rows.flatMap(({ requests }, at) => requests.map(({ body }) => numbered(body, at))),
    }));
}

/** A body with the fresh name and the fresh id of this number. */
function numbered(body: Template, at: number): RequestRow {
  const { expectation, idMayExist } = saidOf(body);
  const own = body.replace(/<(NAME|ID)(?=[ >*+-])/g, (_, what) => `<${what}${at + 10}`);
  return { body: own, expectation, ...(idMayExist && { idMayExist }) };
}

/** What the interface says about a body. Where it has an id that is made of another, a number is in its place. */
function saidOf(body: Template, [lowest]: NonNullable<Row['ids']> = USUAL_IDS): Classified {
  const filled = body
    .replace(/<ID\d*(?:\*(-?\d+))?([+-]\d+)?>/g, (all, times, plus) =>
      times === undefined && plus === undefined
        ? all
        : String(BigInt(lowest) * BigInt(times ?? 1) + BigInt(plus ?? 0)),
    )
    .replace(/<PAD \d+>/g, '')
    .replace(/<REPEAT (\d+) ([^>]+)>/g, (_, count, text) => text.repeat(Number(count)));
  return classify(filled);
}

const USUAL_IDS = ['2147483645', '2147483645'] as const;

function isOnlyBody(request: RequestRow | undefined): boolean {
  return Object.keys(request ?? {}).every((key) => key === 'body' || key === 'plant');
}

/** Makes a change of a row. What it must get is what the interface says about its body, if nothing else in it is unusual. */
function withChange(row: Row, { what, body: edit, request: more, ids = row.ids }: Change): Row {
  const [request] = row.requests;
  if (request === undefined) return row;
  const body = edit?.(request.body) ?? request.body;
  const { ids: _, ...others } = row;
  const title = `${row.title}, with ${what}`;
  const bounded = { ...others, title, ...(ids && { ids }) };
  // Without the right token in its place, nothing may be accepted, whatever the body is.
  if (row.phase === 'wrong-token') return { ...bounded, requests: [{ ...request, ...more, body }] };
  const { plant: __, expectation: ___, ...kept } = request;
  const changed = { ...bounded, requests: [{ ...kept, ...more, body }] };
  const { expectation, rules, idMayExist } = saidOf(body, ids ?? undefined);
  // A provider may have a policy for what else is in such a request, or for such ids.
  const isOpen = row.expectation === 'open' && !(expectation === 'rejected' && isOnlyBody(request));
  if (isOpen) return { ...changed, rules: [] };
  return {
    ...changed,
    expectation,
    rules: [
      ...rules,
      ...(expectation === 'rejected' ? ['failure/text-stays-in-the-body'] : []),
      ...(expectation === 'created' && more !== undefined ? [TRANSFER] : []),
    ],
    ...(idMayExist && { requests: changed.requests.map((one) => ({ ...one, idMayExist })) }),
  };
}

const TRANSFER = 'request/transfer-makes-no-difference';

function drawChange(fc: typeof FastCheck): FastCheck.Arbitrary<Change> {
  const field = fc.constantFrom(...FIELDS);
  const text = fc.tuple(fc.constantFrom('name', 'tag'), drawText(fc), fc.boolean());
  const value = drawValue(fc);
  const member = fc.tuple(fc.constantFrom(...KEYS), fc.oneof(fc.constantFrom(...OTHER_VALUES), value));
  const at = fc.nat({ max: 30 });
  return fc.oneof(
    {
      weight: 8,
      arbitrary: text.map(
        ([key, drawn, isEscaped]): Change => ({
          what: `another ${key}`,
          body: (body) => withMember(body, key, isEscaped ? inAscii(drawn) : JSON.stringify(drawn)),
        }),
      ),
    },
    { weight: 4, arbitrary: drawId(fc) },
    {
      weight: 4,
      arbitrary: fc.tuple(field, value).map(
        ([key, json]): Change => ({
          what: `another JSON value as its ${key}`,
          body: (body) => withMember(body, key, json),
        }),
      ),
    },
    {
      weight: 3,
      arbitrary: member.map(
        ([key, json]): Change => ({
          what: 'an unknown member',
          body: (body) => withMember(body, key, json),
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: field
        .chain((key) => fc.tuple(fc.constant(key), fc.constantFrom(...wrongKeysFor(key))))
        .map(
          ([key, wrong]): Change => ({
            what: `another key for its ${key}`,
            body: (body) => withKey(body, key, wrong),
          }),
        ),
    },
    {
      weight: 1,
      arbitrary: field.map(
        (key): Change => ({ what: `no ${key}`, body: (body) => withoutMember(body, key) }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constant<Change>({ what: 'its members in reverse', body: reversed }),
    },
    { weight: 1, arbitrary: fc.constantFrom(...WRAPPED) },
    { weight: 10, arbitrary: drawEdit(fc) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.array(at, { minLength: 1, maxLength: 6 }), fc.constantFrom(...SPACES)).map(
        ([places, space]): Change => ({
          what: 'white space between its tokens',
          body: (body) =>
            tokensOf(body)
              .map((token, place) => (places.includes(place) ? space + token : token))
              .join(''),
        }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 3 })
        .map((bodyCuts): Change => ({ what: 'its body in segments', request: { transfer: { bodyCuts } } })),
    },
  );
}

/** Texts that programs treat in a special way, alone or side by side. A name is often fresh, because names may have to be unique. */
function drawText(fc: typeof FastCheck): FastCheck.Arbitrary<Template> {
  const all = stringClasses.map(({ texts }) => fc.constantFrom(...texts));
  const known = fc.oneof(...all);
  const joined = stringClasses.filter(({ joins }) => joins === true);
  const piece = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('a', 'Aloe') },
    { weight: 4, arbitrary: fc.oneof(...joined.map(({ texts }) => fc.constantFrom(...texts))) },
    { weight: 2, arbitrary: fc.constantFrom(...MARKS) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }) },
  );
  const pieces = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  const text = fc.oneof({ weight: 3, arbitrary: known }, { weight: 2, arbitrary: pieces });
  return fc.oneof(
    { weight: 3, arbitrary: text },
    { weight: 1, arbitrary: text.map((one) => `<NAME>${one}`) },
    { weight: 1, arbitrary: text.map((one) => `${one}<NAME>`) },
  );
}

/** JSON with an escape for every character that is not ASCII. */
function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Ids of a pattern, near the powers of 2 and 10, or outside int64. */
function drawId(fc: typeof FastCheck): FastCheck.Arbitrary<Change> {
  const known = fc.constantFrom(...idValues.filter(({ isAccepted }) => isAccepted)).map(
    ({ id, ids }): Change => ({
      what: 'another id',
      body: (body) => withMember(body, 'id', id),
      ids: ids ?? null,
    }),
  );
  const power = fc.oneof(
    fc.nat({ max: 70 }).map((exponent) => 2n ** BigInt(exponent)),
    fc.nat({ max: 25 }).map((exponent) => 10n ** BigInt(exponent)),
  );
  const literal = fc
    .tuple(
      fc.constantFrom('', '-'),
      power,
      fc.integer({ min: -2, max: 2 }),
      fc.constantFrom('', '.0', 'e0', 'e2', 'E+19'),
    )
    .map(([sign, base, more, end]): Change => {
      const json = `${sign}${base + BigInt(more)}${end}`.replace(/^--/, '-');
      return { what: `the id ${json}`, body: (body) => withMember(body, 'id', json) };
    });
  return fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: literal });
}

/** Any JSON value, often with a right one in it. The simplest is an empty one. */
function drawValue(fc: typeof FastCheck): FastCheck.Arbitrary<Template> {
  const leaf = fc.oneof(fc.constantFrom(...EMPTY), fc.constantFrom(...CONVERTIBLE));
  const inner = fc.oneof(leaf, fc.constantFrom(...RIGHT));
  const key = fc.constantFrom('value', '$numberLong', ...KEYS).map((one) => JSON.stringify(one));
  const item = fc.oneof(
    inner,
    inner.map((json) => `[${json}]`),
  );
  return fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 2, arbitrary: fc.tuple(key, item).map(([one, json]) => `{${one}:${json}}`) },
    { weight: 2, arbitrary: fc.array(item, { maxLength: 3 }).map((items) => `[${items.join(',')}]`) },
  );
}

/** The whole plant in another value, as text, or as an array of its values. */
const WRAPPED: readonly Change[] = [
  { what: 'a member around it', body: (body) => `{"plant":${body}}` },
  { what: 'an array around it', body: (body) => `[${body}]` },
  { what: 'quotes around it', body: (body) => JSON.stringify(body) },
  { what: 'another one after it in an array', body: (body) => `[${body},${body}]` },
  {
    what: 'an array of its values instead',
    body: (body) =>
      `[${membersOf(body)
        .map(({ value }) => value)
        .join(',')}]`,
  },
];

function reversed(body: Template): Template {
  const members = membersOf(body).map(({ key, value }) => `${key}:${value}`);
  return members.length === 0 ? body : `{${members.reverse().join(',')}}`;
}

/** A word in the wrong place: between two tokens, in a string, around the text, instead of a token or as a value; or a token less. */
function drawEdit(fc: typeof FastCheck): FastCheck.Arbitrary<Change> {
  const of = (
    words: readonly string[],
    edit: (tokens: readonly string[], at: number, word: string) => readonly string[],
  ): FastCheck.Arbitrary<Change> =>
    fc.tuple(fc.constantFrom(...words), fc.nat({ max: 30 })).map(([word, at]) => ({
      what: 'wrong tokens in its JSON',
      body: (body) => {
        const tokens = tokensOf(body);
        return tokens.length === 0 ? body : edit(tokens, at % tokens.length, word).join('');
      },
    }));
  const value = (words: readonly string[], key: string): FastCheck.Arbitrary<Change> =>
    fc.constantFrom(...words).map((word) => ({
      what: `an almost right value as its ${key}`,
      body: (body) => withMember(body, key, word),
    }));
  return fc.oneof(
    { weight: 3, arbitrary: value(BAD_VALUES, 'colour') },
    { weight: 3, arbitrary: value(BAD_IDS, 'id') },
    { weight: 3, arbitrary: of(BETWEEN, (tokens, at, word) => tokens.toSpliced(at, 0, word)) },
    {
      weight: 3,
      arbitrary: of(IN_STRINGS, (tokens, at, word) =>
        changedFrom(tokens, at, (one) => (one.endsWith('"') ? `${one.slice(0, -1)}${word}"` : one)),
      ),
    },
    { weight: 1, arbitrary: of(BEFORE_TEXT, (tokens, _, word) => [word, ...tokens]) },
    { weight: 1, arbitrary: of(AFTER_TEXT, (tokens, _, word) => [...tokens, word]) },
    {
      weight: 3,
      arbitrary: of(Object.values(INSTEAD).flat(), (tokens, at, word) => {
        const written = Object.keys(INSTEAD).find((one) => INSTEAD[one]?.includes(word)) ?? word;
        return changedFrom(tokens, at, (one) => one.replaceAll(written, word));
      }),
    },
    {
      weight: 1,
      arbitrary: of([''], (tokens, at) =>
        changedFrom(tokens, at, (one) =>
          one.replace(/^"[a-z]+"$/, (key) => `"${asEscapes(key.slice(1, -1))}"`),
        ),
      ),
    },
    { weight: 1, arbitrary: of([''], (tokens, at) => tokens.slice(0, at)) },
    { weight: 1, arbitrary: of([''], (tokens, at) => tokens.toSpliced(at, 1)) },
    { weight: 1, arbitrary: of([''], (tokens, at) => tokens.toSpliced(at, 0, tokens[at] ?? '')) },
  );
}

/** Changes the first token, from this place on and then from the beginning, that the change does not leave as it is. */
function changedFrom(
  tokens: readonly string[],
  from: number,
  change: (token: string) => string,
): readonly string[] {
  const places = tokens.map((_, at) => (from + at) % tokens.length);
  const place = places.find((at) => change(tokens[at] ?? '') !== tokens[at]);
  return tokens.map((token, at) => (at === place ? change(token) : token));
}
