// Requests whose framing two readers may read in two ways. The classes are those of http-desync-guardian and of the tests of
// llhttp.
import { BODIES } from './tricks/bodies.mjs';
import { FRAMING_FIELDS } from './tricks/framing-fields.mjs';
import { HEADS } from './tricks/heads.mjs';
import { LINES } from './tricks/lines.mjs';

export const TRICKS = [...FRAMING_FIELDS, ...LINES, ...BODIES, ...HEADS];
