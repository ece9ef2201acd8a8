import { FRESH_ID, FRESH_NAME, type Piece, type ProbeDraft, type RequestDraft } from '../draft.js';
import type { GeneratedName } from '../family.js';
import { PLAIN_TAG } from '../requests.js';

type Headers = NonNullable<RequestDraft['headers']>;

/** A plain plant, without header fields. */
export const PLANT = {
  body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID, '}'],
  plant: { name: FRESH_NAME, id: FRESH_ID },
} as const satisfies RequestDraft;

/** The same with a tag: whether the token is looked at may depend on it. The named probes of tokens have none. */
export const PLANT_WITH_TAG = {
  body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID, `,"tag":"${PLAIN_TAG}"}`],
  plant: { name: FRESH_NAME, id: FRESH_ID, tag: PLAIN_TAG },
} as const satisfies RequestDraft;

/** A wrong or missing token, and where it is. */
export interface Credentials {
  /** The value of the Authorization header. Without it, there is no such header. */
  readonly authorization?: Piece | readonly Piece[];
  /** Other header fields. */
  readonly fields?: Headers;
  readonly query?: Piece | readonly Piece[];
  /** Default: `application/json`. */
  readonly mediaType?: string;
}

/** The request with a plain plant and these credentials. */
export function requestBy({
  authorization,
  fields = [],
  query,
  mediaType = 'application/json',
}: Credentials): RequestDraft {
  const own: Headers = authorization === undefined ? [] : [['Authorization', authorization]];
  return {
    ...PLANT_WITH_TAG,
    headers: [...own, ...fields, ['Content-Type', mediaType]],
    ...(query !== undefined && { query }),
  };
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
    control: 'plain-plant-with-tag',
    rules: [rule],
    requests: [requestBy(credentials)],
  };
}
