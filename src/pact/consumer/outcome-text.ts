import { relative } from 'node:path';
import type { CollectedPact } from './write-pacts.js';

const MOST_NAMED = 3;

/**
 * What a person has to know of pacts that were not replaced as a whole; nothing of the others.
 *
 * @param why what was wrong with the run, to be read after "since"
 */
export function outcomeText(pacts: readonly CollectedPact[], why: string): string {
  return pacts.map((pact) => lineOf(pact, why)).join('');
}

function lineOf({ file, written, kept }: CollectedPact, why: string): string {
  const name = relative('', file);
  if (!written) return `${name} is left as it is, since ${why}\n`;
  if (kept.length === 0) return '';
  const named = kept.slice(0, MOST_NAMED).map((description) => JSON.stringify(description));
  const more = kept.length > MOST_NAMED ? ` and ${kept.length - MOST_NAMED} more` : '';
  const those = kept.length === 1 ? 'an interaction' : `${kept.length} interactions`;
  return (
    `${name} keeps ${those} of before, since ${why}: ${named.join(', ')}${more}; ` +
    'to drop what is no longer made, delete the file and run all tests\n'
  );
}
