import { checkSendable } from '../../http/fields.js';
import { isObject } from '../../validation/json-value.js';
import type { Transfer } from '../exchange.js';
import type { ProbeDraft, RequestDraft } from '../families/draft.js';
import { FAMILIES } from '../families/family.js';
import { TOKEN_FORMS } from '../families/token-pieces.js';
import { PHASES } from '../probe.js';

// Drafts are on their way to rows. When there are none left, this file goes.

const MOST_REQUESTS = 1000;

type Problem = readonly [pointer: string, expected: string] | undefined;
type Check = (value: unknown) => Problem;

const PROBE: Readonly<Record<keyof ProbeDraft, Check>> = {
  name: (value) =>
    typeof value === 'string' && Object.hasOwn(FAMILIES, value.split('/')[0] ?? '') && value.includes('/')
      ? undefined
      : ['', 'the name of a generated probe: family/name'],
  title: isString,
  expectation: oneOf('created', 'rejected', 'open'),
  phase: oneOf(...PHASES),
  control: optional(oneOf('plain-plant', 'plain-plant-with-tag', 'id-near-upper-end', 'id-near-lower-end')),
  rules: listOf(isString),
  together: optional(isBoolean),
  alone: optional(isBoolean),
  oneConnection: optional(isBoolean),
  requests: (value) =>
    Array.isArray(value) && value.length > MOST_REQUESTS
      ? ['', `a list of at most ${MOST_REQUESTS} requests`]
      : listOf((request) => members(REQUEST)(request))(value),
};

const REQUEST: Readonly<Record<keyof RequestDraft, Check>> = {
  headers: optional(listOf(isField)),
  body: isPieces,
  plant: optional(members({ name: isPieces, id: isPieces, tag: optional(isPieces) })),
  expectation: optional(oneOf('created', 'rejected', 'open')),
  idMayExist: optional(isBoolean),
  query: optional(isPieces),
  chunked: optional(isBoolean),
  transfer: optional((value) => members(TRANSFER)(value)),
  isWellFormed: optional(isBoolean),
  shellBody: optional(isString),
  withoutUserAgent: optional(isBoolean),
};

const TRANSFER: Readonly<Record<keyof Transfer, Check>> = {
  headCuts: optional(listOf(isInteger)),
  bodyCuts: optional(listOf(isInteger)),
  cutAfterHead: optional(isBoolean),
  chunks: optional(listOf(isInteger)),
  chunkExtension: optional(isString),
  trailers: optional(listOf(isField)),
  endsTogether: optional(isBoolean),
  awaitContinue: optional(isBoolean),
};

const TOKEN_PART = members({ from: optional(isTokenPlace), to: optional(isTokenPlace) });

const PIECES: readonly Check[] = [
  isString,
  members({ fresh: oneOf('name'), of: optional(isInteger) }),
  members({
    fresh: oneOf('id'),
    of: optional(isInteger),
    between: optional(isRange),
    times: optional(isDigits),
    plus: optional(isDigits),
  }),
  members({ token: TOKEN_PART }),
  isEdit,
  members({ unlessToken: isString }),
  members({ wrongToken: isBoolean }),
  members({ base64: isString }),
  members({ padTo: isLength }),
];

/** What is wrong with a draft, and what its place must be. */
export function problemInDraft(value: unknown): Problem {
  return members(PROBE)(value);
}

/** A header field: a name that can be sent, and pieces. */
function isField(value: unknown): Problem {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'string')
    return ['', 'a list of a name and a value'];
  const pieces: unknown[] = Array.isArray(value[1]) ? value[1] : [value[1]];
  try {
    checkSendable(value[0], pieces.filter((piece) => typeof piece === 'string').join(''));
  } catch (cause) {
    return ['', `a field that can be sent (${(cause as Error).message})`];
  }
  return isPieces(value[1]);
}

function isPieces(value: unknown): Problem {
  return Array.isArray(value) ? listOf(isPiece)(value) : isPiece(value);
}

function isPiece(value: unknown): Problem {
  return PIECES.some((check) => check(value) === undefined)
    ? undefined
    : ['', 'a string or one of the pieces that exploring writes'];
}

function isTokenPlace(value: unknown): Problem {
  return value === 'middle' || value === 'after-middle' ? undefined : isInteger(value);
}

function isEdit(value: unknown): Problem {
  const part: Check = (one) => (PARTS.some((check) => check(one) === undefined) ? undefined : ['', 'a part']);
  return members({ edit: listOf(part), as: optional(oneOf(...TOKEN_FORMS)) })(value);
}

const PARTS: readonly Check[] = [isString, members({ token: TOKEN_PART }), isEdit];

function isString(value: unknown): Problem {
  return typeof value === 'string' ? undefined : ['', 'a string'];
}

function isBoolean(value: unknown): Problem {
  return typeof value === 'boolean' ? undefined : ['', 'true or false'];
}

function isInteger(value: unknown): Problem {
  return Number.isSafeInteger(value) ? undefined : ['', 'a whole number'];
}

/** Long enough for every limit that is usual, and not for the memory. */
const MOST_PADDING = 4 * 2 ** 20;

function isLength(value: unknown): Problem {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_PADDING
    ? undefined
    : ['', `0 to ${MOST_PADDING} bytes`];
}

function isDigits(value: unknown): Problem {
  return typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? undefined : ['', 'digits in a string'];
}

function isRange(value: unknown): Problem {
  const isPair = Array.isArray(value) && value.length === 2 && listOf(isDigits)(value) === undefined;
  return isPair && BigInt(value[0]) <= BigInt(value[1]) ? undefined : ['', 'the lowest and the highest id'];
}

function oneOf(...values: readonly string[]): Check {
  return (value) => (values.includes(value as string) ? undefined : ['', `one of ${values.join(', ')}`]);
}

function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value));
}

function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return ['', 'a list'];
    for (const [at, item] of value.entries()) {
      const problem = check(item);
      if (problem !== undefined) return [`/${at}${problem[0]}`, problem[1]];
    }
    return undefined;
  };
}

function members(checks: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (!isObject(value)) return ['', 'an object'];
    for (const key of Object.keys(value)) if (!Object.hasOwn(checks, key)) return [`/${key}`, 'left out'];
    for (const [key, check] of Object.entries(checks)) {
      const problem = check((value as Record<string, unknown>)[key]);
      if (problem !== undefined) return [`/${key}${problem[0]}`, problem[1]];
    }
    return undefined;
  };
}
