import { type ErrorName, errorCodes } from 'plant-store-contract/server';
import { expect } from 'vitest';

/** A refusal as a test wants to compare it. */
export interface SeenRefusal {
  readonly status: number;
  /** The name of its code in `errorCodes`. */
  readonly name: ErrorName | undefined;
  readonly message: string;
}

/** Reads a refusal, and holds it to what every one has to be: an Error, as `application/json`. */
export function refusal(answer: {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}): SeenRefusal {
  expect(answer.headers['content-type'], answer.text).toBe('application/json');
  const body = JSON.parse(answer.text);
  expect(Object.keys(body)).toEqual(['error', 'message']);
  expect(body.error).toSatisfy(Number.isInteger);
  expect(body.message).toMatch(/\w+ \w+/);
  const [name] = Object.entries(errorCodes).find(([, code]) => code === body.error) ?? [];
  return { status: answer.status, name: name as ErrorName | undefined, message: body.message };
}
