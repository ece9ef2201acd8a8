// `npm run picture`: makes the picture of the README anew, from a real check.
import { writeFileSync } from 'node:fs';
import { picture } from './picture.js';

writeFileSync(new URL('check.svg', import.meta.url), await picture());
