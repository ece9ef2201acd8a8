import type { ServerResponse } from 'node:http';
import { invalidOption } from '../../toolkit-error.js';
import { readJson, type WritableJson } from '../../validation/json.js';
import type { JsonValue } from '../../validation/json-value.js';

/** One request to the control interface. */
export interface ControlRequest {
  /** The parts of the path that its template names: `number` for `/exchanges/{number}`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  /** Aborts when the client is gone or the server closes. */
  readonly signal: AbortSignal;
  /** For responses that go on. */
  readonly response: ServerResponse;
}

/** A response: JSON, a file as it is, or without either, empty. */
export interface Reply {
  readonly status: number;
  readonly body?: WritableJson;
  readonly file?: { readonly type: string; readonly bytes: Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
}

/** `streaming` if the handler itself sends the response. */
export type Handler = (request: ControlRequest) => Reply | 'streaming' | Promise<Reply | 'streaming'>;

/** Paths, or templates of paths, with their methods and what they do. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

export const DONE: Reply = { status: 204 };

/** A success with plain data. */
export function ok(data: object): Reply {
  return { status: 200, body: data as WritableJson };
}

/** An error as the control interface writes it. */
export function problem(status: number, message: string, headers?: Readonly<Record<string, string>>): Reply {
  return { status, body: { message }, ...(headers && { headers }) };
}

/** @throws ToolkitError `invalid-option` if the body is not JSON */
export function jsonIn({ body }: ControlRequest): JsonValue {
  const read = readJson(body);
  if (!read.ok) throw invalidOption(`the body is not JSON: ${read.message}, at byte ${read.offset}`);
  const [duplicate] = read.duplicateKeys;
  if (duplicate !== undefined) throw invalidOption(`the body has the key ${duplicate} twice`);
  return read.value;
}

/** What a path leads to. */
export interface FoundRoute {
  /** The path, or its template. */
  readonly template: string;
  readonly methods: Readonly<Record<string, Handler>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The route of a path. A template such as `/exchanges/{number}` stands for one segment. */
export function findRoute(routes: Routes, path: string): FoundRoute | undefined {
  const exact = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (exact !== undefined) return { template: path, methods: exact, parameters: {} };
  for (const [template, methods] of Object.entries(routes)) {
    const [, before, name] = /^(.*)\{(\w+)\}$/.exec(template) ?? [];
    if (before === undefined || name === undefined || !path.startsWith(before)) continue;
    const value = path.slice(before.length);
    if (value !== '' && !value.includes('/')) return { template, methods, parameters: { [name]: value } };
  }
  return undefined;
}
