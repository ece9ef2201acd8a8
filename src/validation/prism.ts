import { type HeaderFields, headerNames, headerValues, rereadable } from '../http/fields.js';
import { withoutOrigin } from '../request-target.js';
import { operation } from '../spec/operation.js';
import { type WritableJson, writeJson } from './json.js';
import { pointerTo, valueAt } from './json-value.js';
import { bytesIn, type PlainRequest, type PlainResponse } from './message.js';
import { operation as prismOperation } from './prism-operation.generated.js';
import { describe, quoted, type Violation } from './violation.js';

/** Prism's validators for the plant store. They never throw. The severities are Prism's: it accepts a message with warnings only. */
export interface Prism {
  /** Prism's opinion of a request: its security, media type and body. */
  judgeRequest(request: PlainRequest): Violation[];
  /** Prism's opinion of a response: its status, media type and body. */
  judgeResponse(response: PlainResponse): Violation[];
}

/** What is used of Prism's diagnostics. */
interface Diagnostic {
  readonly severity: number;
  readonly message: string;
  readonly code?: string | number;
  readonly path?: readonly (string | number)[];
}

type Either = { readonly _tag: 'Left'; readonly left: unknown } | { readonly _tag: 'Right' };

let loaded: Promise<Prism> | undefined;

/**
 * Loads Prism's validators (0.2 s, once in a process), which give Prism's opinion of messages in the form of our
 * violations. Prism reads JSON with `JSON.parse`, so every number is a double. All known differences from our judges are in
 * `test/validation/prism-opinions.ts`.
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
  const validator = await import('./prism-validators.js');
  // Parsed by Prism's parser at build time.
  const resource = prismOperation as unknown as Parameters<typeof validator.validateOutput>[0]['resource'];

  return {
    judgeRequest: ({ method = operation.method, url = operation.path, headers, body }) =>
      opinion({ headers: rereadable(headers), body }, (parsed, headers) => {
        const [path = '', query = ''] = withoutOrigin(url).split('?');
        const element = {
          method: method.toLowerCase() as 'post',
          url: { path, query: Object.fromEntries(new URLSearchParams(query)) },
          // Without a length, Prism ignores the media type.
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

/** The message that Prism judges. */
type Judged = Omit<PlainResponse, 'status'> & { readonly status?: number };

function opinion(
  message: Judged,
  judge: (parsed: unknown, headers: HeaderFields) => readonly Diagnostic[],
): Violation[] {
  let parsed: unknown;
  let found: readonly Diagnostic[];
  try {
    parsed = parseAsPrism(message);
  } catch (cause) {
    found = [{ severity: ERROR, code: 'json', message: (cause as Error).message }];
    return found.map((diagnostic) => violation(diagnostic, message, undefined));
  }
  try {
    found = judge(parsed, message.headers);
  } catch (cause) {
    // Prism throws if the Content-Type is not a media type: that is its opinion too.
    found = [{ severity: ERROR, code: 415, message: `Prism stopped: ${(cause as Error).message}` }];
  }
  return found.map((diagnostic) => violation(diagnostic, message, parsed));
}

const ERROR = 0;

function diagnostics(result: Either): readonly Diagnostic[] {
  return result._tag === 'Left' ? (result.left as readonly Diagnostic[]) : [];
}

function violation(diagnostic: Diagnostic, { status, headers }: Judged, parsed: unknown): Violation {
  const { severity, message, code, path = [] } = diagnostic;
  const rest = { message, expected: message, severity: severity === ERROR ? 'error' : 'warning' } as const;
  if (message.startsWith('Unable to match the returned status')) {
    return { ...rest, part: 'status', pointer: '', keyword: 'status', actual: String(status) };
  }
  if (code === 401) {
    const actual = 'a redacted value';
    return { ...rest, part: 'header', pointer: '/authorization', keyword: 'bearer', actual };
  }
  if (code === 415 || message.startsWith('The received media type')) {
    const actual = headerValues(headers, 'content-type').map(quoted).join(' and ') || 'nothing';
    return { ...rest, part: 'header', pointer: '/content-type', keyword: 'media-type', actual };
  }
  const inBody = path[0] === 'body' ? path.slice(1) : path;
  const actual = describe(valueAt(parsed, inBody));
  return { ...rest, part: 'body', pointer: pointerTo(inBody), keyword: String(code ?? 'schema'), actual };
}

/** Reads a body as Prism's servers do: with `JSON.parse` if its media type is JSON, otherwise as text. */
function parseAsPrism({ headers, body }: Judged): unknown {
  const bytes = bytesIn(body);
  const text = bytes === undefined ? body : Buffer.from(bytes).toString();
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') return JSON.parse(writeJson(text as WritableJson));
  const isJson = headerValues(headers, 'content-type').some((value) => /^[^;]*[/+]json *(;|$)/i.test(value));
  return isJson ? JSON.parse(text) : text;
}

/** Prism expects lower-case names, and throws on a list of values. */
function joined(headers: HeaderFields): Record<string, string> {
  const lower = new Set(headerNames(headers).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    [...lower]
      .map((name) => [name, headerValues(headers, name).join(', ')] as const)
      .filter(([, value]) => value !== ''),
  );
}
