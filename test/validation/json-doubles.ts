import { JsonNumber, type JsonValue } from 'plant-store-contract/validation';

/** An exact value as `JSON.parse` returns it, except for the sign of zero, which our reader drops. */
export function asDoubles(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return withoutSign(Number(value.text));
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asDoubles(member)]));
}

/** The value of `JSON.parse`, with every -0 replaced by 0. */
export function parsedWithoutSign(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => (typeof value === 'number' ? withoutSign(value) : value));
}

function withoutSign(number: number): number {
  return Object.is(number, -0) ? 0 : number;
}
