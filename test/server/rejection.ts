import { type ErrorName, errorCodes } from 'plant-store-contract/server';
import { expect } from 'vitest';

/** A rejection for comparison. */
export interface SeenRejection {
  readonly status: number;
  /** The name of its code in `errorCodes`. */
  readonly name: ErrorName | undefined;
  readonly message: string;
}

/** Reads a rejection, which must be an Error as `application/json`. */
export function rejection(response: {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}): SeenRejection {
  expect(response.headers['content-type'], response.text).toBe('application/json');
  const body = JSON.parse(response.text);
  expect(Object.keys(body)).toEqual(['error', 'message']);
  expect(body.error).toSatisfy(Number.isInteger);
  expect(body.message).toMatch(/\w+ \w+/);
  const [name] = Object.entries(errorCodes).find(([, code]) => code === body.error) ?? [];
  return { status: response.status, name: name as ErrorName | undefined, message: body.message };
}
