import type { ServerResponse } from 'node:http';
import type { Engine } from '../server/engine.js';
import { invalidOption } from '../toolkit-error.js';
import { readJson } from '../validation/json.js';
import type { JsonValue } from '../validation/json-value.js';
import type { WritableJson } from '../validation/json-writer.js';

/** One request to the control interface. */
export interface Call {
  readonly engine: Engine;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  /** Aborts when the client is gone or the server closes. */
  readonly signal: AbortSignal;
  /** For responses that go on. */
  readonly response: ServerResponse;
}

/** A response. Without a body, it is empty. */
export interface Reply {
  readonly status: number;
  readonly body?: WritableJson;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `streaming` if the handler itself sends the response. */
export type Handler = (call: Call) => Reply | 'streaming' | Promise<Reply>;

/** An error as the control interface writes it. */
export function problem(status: number, message: string, headers?: Readonly<Record<string, string>>): Reply {
  return { status, body: { message }, ...(headers && { headers }) };
}

/** @throws ToolkitError `invalid-option` if the body is not JSON */
export function jsonIn({ body }: Call): JsonValue {
  const read = readJson(body);
  if (!read.ok) throw invalidOption(`the body is not JSON: ${read.message}, at byte ${read.offset}`);
  const [duplicate] = read.duplicateKeys;
  if (duplicate !== undefined) throw invalidOption(`the body has the key ${duplicate} twice`);
  return read.value;
}
