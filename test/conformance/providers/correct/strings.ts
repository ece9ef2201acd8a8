import type { Layer } from './provider.js';
import type { Variations } from './variations.js';

/** Strings that a program could take for a value of another type. Words of letters are not among them. */
const unlikeValues = { test: (text: string) => !/^[-+.\d[{"']/.test(text) };

/** The name of a created plant in a header field, in ASCII. */
const nameInField: Layer = async (_call, next) => {
  const answer = await next();
  const name = String(answer.body?.name ?? '').slice(0, 100);
  return {
    ...answer,
    headers: { ...answer.headers, 'X-Plant-Name': encodeURIComponent(name.toWellFormed()) },
  };
};

/** Correct providers that allow only some strings, or that quote strings. */
export const strings: Variations = {
  'names have at most 40 characters, and tags at most 20': {
    plants: { names: /^[\s\S]{1,40}$/, tags: /^[\s\S]{1,20}$/ },
  },
  'strings are printable ASCII': { plants: { names: /^[ -~]*$/, tags: /^[ -~]*$/ } },
  'strings have letters, digits, spaces and hyphens': {
    plants: { names: /^[\p{L}\p{M}\p{N} -]+$/u, tags: /^[\p{L}\p{M}\p{N} -]+$/u },
  },
  'strings do not look like values of other types': {
    plants: { names: unlikeValues, tags: unlikeValues },
  },
  'empty strings and white space at the ends are rejected': {
    plants: { names: /^\S(?:.*\S)?$/su, tags: /^\S(?:.*\S)?$/su },
  },
  'messages quote the whole request': { quotes: (body) => `I cannot read this: ${body.toString()}` },
  'messages quote the last 20 characters of the request': {
    quotes: (body) => [...body.toString('latin1')].slice(-20).join(''),
  },
  'the name of a plant is in a header field, in ASCII': { layers: () => [nameInField] },
};
