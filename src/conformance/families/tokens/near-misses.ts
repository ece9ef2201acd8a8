import type { Piece, ProbeDraft } from '../draft.js';
import type { TokenEdit, TokenPlace } from '../token-pieces.js';
import { unauthorised } from './unauthorised.js';

export const NEAR_MISS = 'auth/near-miss-token-is-refused';

export const TOKEN = { token: {} } as const;
const WRONG = { wrongToken: true } as const;

/** The right token up to a place, and from a place on. */
export function before(to: TokenPlace) {
  return { token: { to } } as const;
}
export function after(from: TokenPlace) {
  return { token: { from } } as const;
}

/** The right token with another character at a place. */
export function changedAt(place: number): TokenEdit {
  const isLast = place === -1;
  const changed: TokenEdit = {
    edit: [{ token: { from: place, ...(!isLast && { to: place + 1 }) } }],
    as: 'next-characters',
  };
  return { edit: [...(place === 0 ? [] : [before(place)]), changed, ...(isLast ? [] : [after(place + 1)])] };
}

function nearMiss(name: string, title: string, authorization: readonly Piece[]): ProbeDraft {
  return unauthorised(`tokens/${name}`, title, NEAR_MISS, { authorization });
}

/**
 * Tokens that differ from the right one in one place, and header values with the right token and something else. The
 * token may be base64: its last characters may be padding, and the one before may have bits that mean nothing.
 */
export const nearMisses: readonly ProbeDraft[] = [
  nearMiss('longer-at-beginning', 'two letters before the right token', ['Bearer ', { edit: ['xx', TOKEN] }]),
  nearMiss('changed-at-end', 'the right token with another character near its end', [
    'Bearer ',
    changedAt(-4),
  ]),
  nearMiss('shorter-at-beginning', 'the right token without its first character', [
    'Bearer ',
    { edit: [after(1)] },
  ]),
  nearMiss('changed-in-middle', 'the right token with another character in its middle', [
    'Bearer ',
    {
      edit: [
        before('middle'),
        { edit: [{ token: { from: 'middle', to: 'after-middle' } }], as: 'next-characters' },
        after('after-middle'),
      ],
    },
  ]),
  nearMiss('after-wrong-token', 'an unknown token and the right one after "Bearer"', [
    'Bearer ',
    WRONG,
    ' ',
    TOKEN,
  ]),
  nearMiss('after-another-word', 'a word before "Bearer" and the right token', ['x Bearer ', TOKEN]),
  nearMiss('in-quotes', 'the right token in quotes', ['Bearer "', TOKEN, '"']),
  nearMiss('in-a-list', 'an unknown token and the right one, as a list', [
    'Bearer ',
    WRONG,
    ', Bearer ',
    TOKEN,
  ]),
];
