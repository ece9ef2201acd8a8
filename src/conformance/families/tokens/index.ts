import { probeFrom } from '../draft.js';
import { named } from './named.js';
import { nearMisses } from './near-misses.js';
import { withoutToken } from './no-token.js';
import { otherPlaces } from './places.js';
import { otherSchemes } from './schemes.js';
import { rightAmongWrong, sameBody } from './sequences.js';
import { words } from './words.js';

/**
 * Missing and wrong tokens, tokens in other places, and open forms of the right token. The most telling ones are first:
 * a provider may lock the client out, and then the others prove nothing.
 */
export const tokenProbes = [
  ...named.wrongValues,
  probeFrom(rightAmongWrong),
  ...[...nearMisses, ...otherSchemes, ...words].map(probeFrom),
  ...named.wrongPlaces,
  ...[...otherPlaces, ...withoutToken].map(probeFrom),
  named.usedConnection,
  ...named.openForms,
  probeFrom(sameBody),
  named.afterwards,
];
