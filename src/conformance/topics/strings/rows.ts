import { triedLengths, triedNames, triedTags } from '../../../report/profile.js';
import { OVERSIZED } from '../../exchange.js';
import type { GeneratedName } from '../../probe.js';
import type { CoreRow, Row } from '../../row.js';

/** The name of a header field that no server sends by itself. */
export const FORGED_FIELD = 'X-Forged-By-The-Request';

/** The JSON of a plant with any strings. They may have placeholders in them. */
export function plantJson(
  name: string,
  tag?: string,
  json: (text: string) => string = JSON.stringify,
): string {
  return `{"name":${json(name)},"id":<ID>${tag === undefined ? '' : `,"tag":${json(tag)}`}}`;
}

/** What is accepted must come back unchanged. */
const rules = ['success/texts-come-back'];

/**
 * Names that a provider may reject. Other requests carry such names too. If none of those is rejected, only the empty name is
 * sent for itself.
 */
const nameRows: readonly CoreRow[] = triedNames.map(([kind, description, name]) => ({
  ...(name !== '' && { ifRejected: 'name' }),
  name: `name-with-${kind}`,
  title: `a plant with a name ${description}`,
  rules: [...rules, 'unspecified/names-refused', ...(name === '' ? ['unspecified/empty-name'] : [])],
  requests: [{ body: plantJson(name) }],
}));

const tagRows: readonly CoreRow[] = triedTags.map(([kind, description, tag]) => ({
  ...(tag !== '' && { ifRejected: 'tag' }),
  name: `tag-with-${kind}`,
  title: `a plant with a tag ${description}`,
  rules: [...rules, 'unspecified/tags-refused', ...(tag === '' ? ['unspecified/empty-tag'] : [])],
  requests: [{ body: plantJson('<NAME>', tag) }],
}));

/** Names and tags of some lengths. A provider may reject each of them, and what it accepts is only recorded. */
const lengthRows: readonly Row<GeneratedName>[] = triedLengths.flatMap((length) => [
  ofLength('name', length, plantJson(`<NAME><REPEAT ${length - 10} a>`)),
  ofLength('tag', length, plantJson('<NAME>', `<REPEAT ${length} a>`)),
]);

function ofLength(field: 'name' | 'tag', length: number, body: string): Row<GeneratedName> {
  return {
    name: `strings/${field}-of-${length}-letters`,
    title: `a plant whose ${field} has ${length.toLocaleString('en')} letters`,
    ...{ expectation: 'open', rules: [`unspecified/${field}-lengths`] },
    // A body above the limits of many servers, and of what is valid beyond doubt.
    ...(length >= OVERSIZED && { phase: 'heavy' }),
    requests: [{ body }],
  };
}

/** A field that some programs write into a header of the response. */
const forgedFieldRow: Row = {
  name: 'strings/controls',
  title: 'a plant whose name and tag have tabs, line breaks and other control characters',
  rules: [...rules, 'failure/text-stays-in-the-body'],
  requests: [
    {
      body: plantJson(
        `\t<NAME>\u001b[31m\r\n${FORGED_FIELD}: 1\r\n\u009f\n`,
        `a\tb\r\n${FORGED_FIELD}: 1\r\n\u0001\u007f\n`,
      ),
    },
  ],
};

/** Names and tags that a provider may reject. */
export const stringRows: readonly CoreRow[] = [...nameRows, ...tagRows, ...lengthRows, forgedFieldRow];
