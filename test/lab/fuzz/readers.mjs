import { codings } from './readers/codings.mjs';
import { files } from './readers/files.mjs';
import { json } from './readers/json.mjs';

/** The readers of bytes that anybody may have written, in the order of the table. */
export const READERS = { json, files, codings };
