import type { Probe } from '../probe.js';

/** The dimensions of the input. Names of generated probes begin with the name of their family. */
export const FAMILIES = {
  plain: 'the plainest plants',
  strings: 'strings in name and tag',
  ids: 'ids',
  types: 'JSON values of other types',
  keys: 'members of the object',
  'json-texts': 'spellings of JSON, and texts that are not JSON',
  headers: 'header fields, and places beside the body',
  rejections: 'long and hostile values in rejected requests',
  transport: 'how a message is transferred',
  sequences: 'sequences of requests',
  volume: 'many requests',
  tokens: 'tokens',
} as const;

/** The name of a family. */
export type FamilyName = keyof typeof FAMILIES;

/** The name of a probe that a family generates. */
export type GeneratedName = `${FamilyName}/${string}`;

/** The name of the family in the name of a generated probe. */
export function familyOf(name: GeneratedName): FamilyName {
  return name.slice(0, name.indexOf('/')) as FamilyName;
}

/**
 * A generator of probes over one dimension of the input. Its core probes are part of every check. Exploring draws more.
 */
export interface Family {
  readonly name: FamilyName;
  /** The dimension, as a noun. */
  readonly title: string;
  /** In the order in which they are sent within a phase. */
  readonly core: readonly Probe[];
}
