import { type JsonValue, readJson } from 'plant-store-contract/validation';

/** A valid plant. */
export interface Plant {
  readonly name: string;
  readonly id: bigint;
  readonly tag?: string;
}

/** Constraints that the interface does not show. */
export interface PlantRules {
  readonly names?: Pick<RegExp, 'test'>;
  readonly tags?: Pick<RegExp, 'test'>;
  readonly ids?: (id: bigint) => boolean;
  readonly unknownFields?: 'ignored' | 'rejected';
  readonly duplicateKeys?: 'last-counts' | 'rejected';
  /** Whether the id may be written as `7.0` or `7e0`. Default true: it is the same number. */
  readonly otherSpellings?: boolean;
  /** How deep JSON may be nested. */
  readonly depth?: number;
  /** Keys that are rejected in every object, for safety. */
  readonly forbiddenKeys?: RegExp;
  /** Whether numbers that no double holds are rejected in every member. */
  readonly finite?: boolean;
  /** Whether a byte-order mark, NaN and infinity are accepted, as the parsers of some languages do. */
  readonly lenient?: boolean;
}

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** In our requests, these words are never in a string. As an id, none is an integer. */
const LENIENT = /^\ufeff|(?<!"id":-?)-?\b(?:NaN|Infinity)\b(?!")/g;

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function hasKey(value: JsonValue, pattern: RegExp): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => pattern.test(key) || hasKey(inner, pattern));
}

/** Reads a body as a NewPlant. Returns what is wrong if it is not one. */
export function readPlant(body: Uint8Array, rules: PlantRules = {}): Plant | 'json' | 'plant' {
  const text = Buffer.from(body).toString();
  const read = readJson(
    rules.lenient === true
      ? Buffer.from(text.replace(LENIENT, (word) => (word === '\ufeff' ? '' : '0')))
      : body,
  );
  if (!read.ok) return 'json';
  if (rules.depth !== undefined && depthOf(read.value) > rules.depth) return 'json';
  if (rules.forbiddenKeys !== undefined && hasKey(read.value, rules.forbiddenKeys)) return 'plant';
  if (rules.finite === true && /\d[eE]\+?[3-9]\d\d/.test(text)) return 'json';
  if (rules.duplicateKeys === 'rejected' && read.duplicateKeys.length > 0) return 'json';
  const members = membersOf(read.value);
  if (members === undefined) return 'plant';
  const { name, id, tag, ...others } = members;
  if (typeof name !== 'string' || rules.names?.test(name) === false) return 'plant';
  if (tag !== undefined && (typeof tag !== 'string' || rules.tags?.test(tag) === false)) return 'plant';
  if (rules.unknownFields === 'rejected' && Object.keys(others).length > 0) return 'plant';
  if (rules.otherSpellings === false && /"id"\s*:\s*-?\d+[.eE]/.test(Buffer.from(body).toString()))
    return 'plant';
  const exact = integerOf(id);
  if (exact === undefined || exact < LOWEST || exact > HIGHEST || rules.ids?.(exact) === false)
    return 'plant';
  return tag === undefined ? { name, id: exact } : { name, id: exact, tag };
}

function membersOf(value: JsonValue): Readonly<Record<string, JsonValue>> | undefined {
  const isObject =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isObject ? (value as Record<string, JsonValue>) : undefined;
}

function integerOf(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}
