import { probeFrom } from '../draft.js';
import { fromClients } from './clients.js';
import { named } from './named.js';
import { openPlants } from './open.js';
import { invalidPlaces } from './places.js';

/** Media types, fields of ordinary clients, fields beside the body, the query, and other methods and paths. */
export const headerProbes = [...named, ...[...fromClients, ...openPlants, ...invalidPlaces].map(probeFrom)];
