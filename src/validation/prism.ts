import { JsonNumber } from './json-number.js';
import { pointer } from './json-parser.js';
import {
  bytesIn,
  type HeaderFields,
  headerValues,
  type PlainRequest,
  type PlainResponse,
  rereadable,
} from './message.js';
import { operation } from './prism-operation.generated.js';
import { describe, quoted, type Violation } from './violation.js';

/** What Prism objects to in a message. A warning is what Prism lets through and only remarks on. */
export interface PrismViolation extends Violation {
  readonly severity: 'error' | 'warning';
}

/** Prism's validators for the plant store, loaded. Neither function throws, whatever the message. */
export interface Prism {
  /** Prism's opinion of a request: its security, media type and body. */
  judgeRequest(request: PlainRequest): PrismViolation[];
  /** Prism's opinion of a response: its status, media type and body. */
  judgeResponse(response: PlainResponse): PrismViolation[];
}

/** The part of Prism's diagnostics that is used here. */
interface Diagnostic {
  readonly severity: number;
  readonly message: string;
  readonly code?: string | number;
  readonly path?: readonly (string | number)[];
}

type Either = { readonly _tag: 'Left'; readonly left: unknown } | { readonly _tag: 'Right' };

let loaded: Promise<Prism> | undefined;

/**
 * Loads Prism's validators (0.2 s, once in a process) and gives its opinion of messages of this interface, in the same
 * form as ours. Prism parses what is announced as JSON with `JSON.parse` and sees every number as a double; what
 * else it gets wrong for this interface is in the table of disagreements in `test/validation/prism-opinions.ts`.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { loadPrism } from 'plant-store-contract/validation';
 *
 * const prism = await loadPrism();
 * const headers = { 'content-type': 'application/json' };
 * const [violation] = prism.judgeResponse({ status: 200, headers, body: '{"tag":"succulent"}' });
 * assert.equal(violation?.message, "Response body must have required property 'name'");
 */
export function loadPrism(): Promise<Prism> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Prism> {
  // The package root would load Prism's mocker and its parser as well, and take three times as long.
  const validator = await import('@stoplight/prism-http/dist/validator/index.js');
  // Read by Prism's own parser, ahead of time.
  const resource = operation as unknown as Parameters<typeof validator.validateOutput>[0]['resource'];

  return {
    judgeRequest: ({ method = 'POST', url = '/plants', headers, body }) =>
      opinion({ headers: rereadable(headers), body }, (parsed, headers) => {
        const [path = '', query = ''] = url.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?');
        const element = {
          method: method.toLowerCase() as 'post',
          url: { path, query: Object.fromEntries(new URLSearchParams(query)) },
          // Without a length Prism does not look at the media type.
          headers: { ...joined(headers), ...(parsed !== undefined && { 'content-length': '1' }) },
          body: parsed,
        };
        return [
          ...diagnostics(validator.validateSecurity({ resource, element })),
          ...diagnostics(validator.validateInput({ resource, element })),
        ];
      }),
    judgeResponse: ({ status, headers, body }) =>
      opinion({ status, headers: rereadable(headers), body }, (parsed, headers) => {
        const element = { statusCode: status, headers: joined(headers), body: parsed };
        return diagnostics(validator.validateOutput({ resource, element }));
      }),
  };
}

/** What an opinion is about: enough to say what was found. */
type Judged = Omit<PlainResponse, 'status'> & { readonly status?: number };

function opinion(
  message: Judged,
  judge: (parsed: unknown, headers: HeaderFields) => readonly Diagnostic[],
): PrismViolation[] {
  let parsed: unknown;
  try {
    parsed = parseAsPrism(message);
  } catch (cause) {
    return [
      violation({ severity: ERROR, code: 'json', message: (cause as Error).message }, message, undefined),
    ];
  }
  try {
    return judge(parsed, message.headers).map((diagnostic) => violation(diagnostic, message, parsed));
  } catch (cause) {
    // Prism throws on a Content-Type that is no media type; that, too, is an opinion.
    return [
      violation(
        { severity: ERROR, code: 415, message: `Prism stopped: ${(cause as Error).message}` },
        message,
        parsed,
      ),
    ];
  }
}

const ERROR = 0;

function diagnostics(result: Either): readonly Diagnostic[] {
  return result._tag === 'Left' ? (result.left as readonly Diagnostic[]) : [];
}

function violation(diagnostic: Diagnostic, { status, headers }: Judged, parsed: unknown): PrismViolation {
  const { severity, message, code, path = [] } = diagnostic;
  const rest = { message, expected: message, severity: severity === ERROR ? 'error' : 'warning' } as const;
  if (message.startsWith('Unable to match the returned status')) {
    return { ...rest, part: 'status', pointer: '', keyword: 'status', actual: String(status) };
  }
  if (code === 401) {
    return {
      ...rest,
      part: 'header',
      pointer: '/authorization',
      keyword: 'bearer',
      actual: 'a value that is not shown',
    };
  }
  if (code === 415 || message.startsWith('The received media type')) {
    const actual = headerValues(headers, 'content-type').map(quoted).join(' and ') || 'nothing';
    return { ...rest, part: 'header', pointer: '/content-type', keyword: 'media-type', actual };
  }
  const inBody = path[0] === 'body' ? path.slice(1) : path;
  const actual = describe(at(parsed, inBody));
  return { ...rest, part: 'body', pointer: pointer(inBody), keyword: String(code ?? 'schema'), actual };
}

function at(whole: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    whole,
  );
}

/** As Prism's own servers read a body: what is announced as JSON by `JSON.parse`, all else as text. */
function parseAsPrism({ headers, body }: Judged): unknown {
  const bytes = bytesIn(body);
  const text = bytes === undefined ? body : Buffer.from(bytes).toString();
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') return withDoubles(text);
  const isJson = headerValues(headers, 'content-type').some((value) => /^[^;]*[/+]json *(;|$)/i.test(value));
  return isJson ? JSON.parse(text) : text;
}

function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withDoubles(member)]));
}

/** Prism looks headers up in lower case, and throws on a list of values. */
function joined(headers: HeaderFields): Record<string, string> {
  const names = Symbol.iterator in headers ? Array.from(headers, ([name]) => name) : Object.keys(headers);
  const lower = new Set(names.map((name) => name.toLowerCase()));
  return Object.fromEntries(
    [...lower]
      .map((name) => [name, headerValues(headers, name).join(', ')] as const)
      .filter(([, value]) => value !== ''),
  );
}
