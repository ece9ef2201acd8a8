import type * as FastCheck from 'fast-check';
import { type DrawnRow, eachOf } from '../../row.js';
import {
  AFTER_TEXT,
  asEscapes,
  BAD_IDS,
  BAD_VALUES,
  BEFORE_TEXT,
  BETWEEN,
  IN_STRINGS,
  INSTEAD,
  malformedRows,
  VALUES,
  wordsOf,
} from './rows.js';

const SPACES = ['', ' ', '\n', '\t', '\r', ' \t\r\n', ' '.repeat(40)];

/** A change of the tokens of a text. `at` chooses the token. */
interface Edit {
  readonly kind: 'value' | 'id' | 'between' | 'string' | 'around' | 'instead' | 'cut' | 'swap' | 'double';
  readonly at: number;
  readonly word: string;
  /** Whether the word comes after the token, and not before it. */
  readonly isAfter: boolean;
}

interface Text {
  /** The order of the known members. */
  readonly order: readonly number[];
  readonly tag: string | undefined;
  readonly unknown: string | undefined;
  readonly spaces: readonly string[];
  /** The tokens that are written with escapes. */
  readonly escapes: readonly number[];
  readonly edits: readonly Edit[];
}

/** Draws spellings of plants, and texts with a few tokens wrong. Our own reader says which of them are JSON. */
export function drawJsonTexts(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const text = (edits: FastCheck.Arbitrary<readonly Edit[]>): FastCheck.Arbitrary<Text> =>
    fc.record({
      order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      tag: fc.option(fc.constantFrom('succulent', 'herb'), { nil: undefined }),
      unknown: fc.option(fc.constantFrom(...wordsOf(VALUES)), { nil: undefined }),
      spaces: fc.array(fc.constantFrom(...SPACES), { maxLength: 12 }),
      escapes: fc.array(fc.nat({ max: 30 }), { maxLength: 6 }),
      edits,
    });
  const one = edits(fc);
  const drawnText = fc.oneof(
    { weight: 2, arbitrary: text(fc.constant([])) },
    { weight: 6, arbitrary: text(one.map((edit) => [edit])) },
    { weight: 1, arbitrary: text(fc.array(one, { minLength: 2, maxLength: 3 })) },
  );
  const known = malformedRows.flatMap(eachOf).map(({ requests: [first] }) => rowOf(first?.body ?? '', false));
  return fc.oneof(
    { weight: 9, arbitrary: drawnText.map((drawn) => rowOf(textOf(drawn), drawn.edits.length === 0)) },
    { weight: 3, arbitrary: fc.constantFrom(...known) },
  );
}

function rowOf(body: string, isSpelling: boolean): DrawnRow {
  const title = isSpelling
    ? 'a plant in an unusual spelling of JSON'
    : 'a plant with wrong tokens in its JSON';
  return { name: 'json-texts/drawn', title, requests: [{ body }] };
}

function edits(fc: typeof FastCheck): FastCheck.Arbitrary<Edit> {
  const of = (kind: Edit['kind'], words: readonly string[], isAfter: FastCheck.Arbitrary<boolean>) =>
    fc.record<Edit>({
      kind: fc.constant(kind),
      at: fc.nat({ max: 30 }),
      word: fc.constantFrom(...words),
      isAfter,
    });
  const [before, after, either] = [fc.constant(false), fc.constant(true), fc.boolean()];
  return fc.oneof(
    { weight: 4, arbitrary: of('value', wordsOf(BAD_VALUES), after) },
    { weight: 4, arbitrary: of('id', wordsOf(BAD_IDS), after) },
    { weight: 3, arbitrary: of('between', wordsOf(BETWEEN), either) },
    { weight: 3, arbitrary: of('string', wordsOf(IN_STRINGS), after) },
    { weight: 2, arbitrary: of('around', wordsOf(BEFORE_TEXT), before) },
    { weight: 2, arbitrary: of('around', wordsOf(AFTER_TEXT), after) },
    { weight: 4, arbitrary: of('instead', Object.values(INSTEAD).flat(), either) },
    { weight: 1, arbitrary: of('cut', [''], either) },
    { weight: 1, arbitrary: of('swap', [''], either) },
    { weight: 1, arbitrary: of('double', [''], either) },
  );
}

function textOf({ order, tag, unknown, spaces, escapes, edits: changes }: Text): string {
  const known = [
    ['"name"', ':', '"<NAME>"'],
    ['"id"', ':', '<ID>'],
    ...(tag === undefined ? [] : [['"tag"', ':', `"${tag}"`]]),
  ];
  const ordered = order.flatMap((at) => (known[at] === undefined ? [] : [known[at]]));
  const bad = changes.find(({ kind }) => kind === 'value')?.word;
  const value = bad ?? unknown;
  const members = value === undefined ? ordered : [...ordered, ['"colour"', ':', value]];
  const tokens = ['{', ...members.flatMap((member, at) => (at === 0 ? member : [',', ...member])), '}'];
  const escaped = tokens.map((token, at) =>
    escapes.includes(at) ? token.replace(/(?<=^")[a-z]+(?="$)/, asEscapes) : token,
  );
  const changed = changes.reduce<readonly string[]>(edited, escaped);
  return changed.map((token, at) => (spaces[at] ?? '') + token).join('') + (spaces[changed.length] ?? '');
}

function edited(tokens: readonly string[], { kind, at, word, isAfter }: Edit): readonly string[] {
  const place = at % tokens.length;
  const [before, token = '', after] = [tokens.slice(0, place), tokens[place], tokens.slice(place + 1)];
  switch (kind) {
    // The value is wrong from the beginning.
    case 'value':
      return tokens;
    case 'id':
      return tokens.map((one) => (one === '<ID>' ? word : one));
    case 'between':
      return [...before, isAfter ? token + word : word + token, ...after];
    case 'string':
      return changedOne(
        tokens,
        at,
        (one) => one.length > 2 && one.endsWith('"'),
        (one) => `${one.slice(0, -1)}${word}"`,
      );
    case 'around':
      return isAfter ? [...tokens, word] : [word, ...tokens];
    case 'instead': {
      const [written] = Object.entries(INSTEAD).find(([, words]) => words.includes(word)) ?? [''];
      return changedOne(
        tokens,
        at,
        (one) => one.includes(written),
        (one) => one.replaceAll(written, word),
      );
    }
    case 'cut':
      // What stands for the id has no end to cut off.
      return isAfter ? [...before, token.endsWith('<ID>') ? token : token.slice(0, -1)] : before;
    case 'swap':
      return [...before, ...after.slice(0, 1), token, ...after.slice(1)];
    case 'double':
      return [...before, token, token, ...after];
  }
}

function changedOne(
  tokens: readonly string[],
  at: number,
  fits: (token: string) => boolean,
  change: (token: string) => string,
): readonly string[] {
  const places = tokens.flatMap((token, place) => (fits(token) ? [place] : []));
  const place = places[at % places.length];
  return tokens.map((token, here) => (here === place ? change(token) : token));
}
