import { FRESH_ID, FRESH_NAME, type Piece, type ProbeDraft, type RequestDraft } from '../draft.js';
import type { GeneratedName } from '../family.js';

type Headers = NonNullable<RequestDraft['headers']>;

/** A plain plant, without header fields. */
export const PLANT = {
  body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID, '}'],
  plant: { name: FRESH_NAME, id: FRESH_ID },
} as const satisfies RequestDraft;

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

/** A wrong or missing token, and where it is. */
export interface Credentials {
  /** The value of the Authorization header. Without it, there is no such header. */
  readonly authorization?: Piece | readonly Piece[];
  /** Other header fields. */
  readonly fields?: Headers;
  readonly query?: Piece | readonly Piece[];
}

/** The request with a plain plant and these credentials. */
export function requestBy({ authorization, fields = [], query }: Credentials): RequestDraft {
  const own: Headers = authorization === undefined ? [] : [['Authorization', authorization]];
  return { ...PLANT, headers: [...own, ...fields, JSON_TYPE], ...(query !== undefined && { query }) };
}

/** A plain plant with credentials that a provider must reject. */
export function unauthorised(
  name: GeneratedName,
  title: string,
  rule: string,
  credentials: Credentials,
): ProbeDraft {
  return {
    name,
    title: `a plain plant with ${title}`,
    expectation: 'rejected',
    phase: 'wrong-token',
    control: 'plain-plant',
    rules: [rule],
    requests: [requestBy(credentials)],
  };
}
