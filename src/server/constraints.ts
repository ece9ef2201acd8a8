import type { NewPlant } from '../spec/types.js';
import { JsonSpans } from '../validation/json.js';
import { quoted } from '../validation/violation.js';
import { Rejection } from './error-codes.js';
import type { IncomingRequest } from './exchange.js';
import { patternOf } from './option-check.js';
import type { Settings } from './options.js';
import { UNLIMITED } from './settings.js';

/** Constraints on plants that the interface does not show. */
type Constraint = (plant: NewPlant, request: IncomingRequest) => Rejection | undefined;

/** The constraints that the options ask for, as one. By default, there are none. */
export function constraintsFrom(settings: Settings): Constraint {
  const all: Constraint[] = [];
  const { longestName, longestTag, smallestId } = settings.limits;
  if (longestName !== UNLIMITED) all.push(({ name }) => tooLong('name', name, longestName));
  if (longestTag !== UNLIMITED) all.push(({ tag = '' }) => tooLong('tag', tag, longestTag));
  const [names, tags] = [settings.namePattern, settings.tagPattern].map((given) => given && patternOf(given));
  if (names) all.push(({ name }) => wrongCharacters('name', name, names));
  if (tags) all.push(({ tag }) => (tag === undefined ? undefined : wrongCharacters('tag', tag, tags)));
  if (smallestId !== undefined)
    all.push(({ id }) =>
      BigInt(id) < BigInt(smallestId)
        ? new Rejection('id-not-allowed', `the "id" must be ${smallestId} or more; got ${id}`)
        : undefined,
    );
  if (settings.fractionalIds === 'reject') all.push((_plant, request) => fractionalId(request));
  return (plant, request) => {
    for (const constraint of all) {
      const rejection = constraint(plant, request);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  };
}

function tooLong(field: 'name' | 'tag', text: string, most: number): Rejection | undefined {
  // A string has as many code points as UTF-16 units, or fewer.
  const length = text.length <= most ? 0 : [...text].length;
  if (length <= most) return undefined;
  const must = `the "${field}" must have ${most} characters at most`;
  return new Rejection(`${field}-not-allowed`, `${must}; it has ${length}`);
}

function wrongCharacters(field: 'name' | 'tag', text: string, pattern: RegExp): Rejection | undefined {
  if (pattern.test(text)) return undefined;
  return new Rejection(`${field}-not-allowed`, `the "${field}" must match ${pattern}; got ${quoted(text)}`);
}

function fractionalId({ body }: IncomingRequest): Rejection | undefined {
  const written = body && new JsonSpans(body).textAt(['id']);
  if (written === undefined || /^-?\d+$/.test(written)) return undefined;
  return new Rejection('id-invalid', `the "id" must be written as an integer; got ${quoted(written)}`);
}
