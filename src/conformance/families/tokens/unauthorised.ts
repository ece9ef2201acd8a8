import { FRESH_ID, FRESH_NAME, type RequestDraft } from '../draft.js';
import { PLAIN_TAG } from '../requests.js';

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
