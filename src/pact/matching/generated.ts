import { type JsonObject, objectOf } from '../../validation/json-value.js';

/** A part of a message that may have generators. */
type GeneratedPart = 'body' | 'header' | 'query';

/** The values of a message that generators replace when the pact is used, so that those in the pact do not matter. */
export class GeneratedValues {
  private readonly names: Readonly<Record<GeneratedPart, ReadonlySet<string>>>;

  constructor(generators: JsonObject) {
    const namesIn = (part: GeneratedPart): ReadonlySet<string> =>
      new Set(Object.keys(objectOf(generators[part])).map(nameIn));
    this.names = { body: namesIn('body'), header: namesIn('header'), query: namesIn('query') };
  }

  /**
   * Whether a generator replaces a value. A generator for a part of a value counts as one for the whole value.
   *
   * @param field a field of the body, a header, or a parameter
   */
  has(part: GeneratedPart, field: string): boolean {
    const names = this.names[part];
    return names.has('*') || names.has(field.toLowerCase());
  }
}

/** The first name in the path of a generator, in lower case; a star for the whole part. */
function nameIn(path: string): string {
  const [name = '*'] = path.replace(/^\$/, '').match(/[^.[\]'"]+/) ?? [];
  return name.toLowerCase();
}
