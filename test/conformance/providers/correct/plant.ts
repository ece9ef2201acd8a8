import { type JsonValue, readJson } from 'plant-store-contract/validation';

/** A valid plant. */
export interface Plant {
  readonly name: string;
  readonly id: bigint;
  readonly tag?: string;
}

/** Constraints that the interface does not show. */
export interface PlantRules {
  readonly names?: RegExp;
  readonly tags?: RegExp;
  readonly ids?: (id: bigint) => boolean;
  readonly unknownFields?: 'ignored' | 'rejected';
  readonly duplicateKeys?: 'last-counts' | 'rejected';
  /** Whether the id may be written as `7.0` or `7e0`. Default true: it is the same number. */
  readonly otherSpellings?: boolean;
}

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** Reads a body as a NewPlant. Returns what is wrong if it is not one. */
export function readPlant(body: Uint8Array, rules: PlantRules = {}): Plant | 'json' | 'plant' {
  const read = readJson(body);
  if (!read.ok) return 'json';
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
