import { broker } from './readers/broker.mjs';
import { codings } from './readers/codings.mjs';
import { json } from './readers/json.mjs';
import { pact } from './readers/pact.mjs';

/** The readers of bytes that anybody may have written, in the order of the table. */
export const READERS = { json, pact, broker, codings };
