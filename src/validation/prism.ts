import { headerValues } from '../http/fields.js';
import { type WritableJson, writeJson } from './json.js';
import { pointerTo, valueAt } from './json-value.js';
import { type Body, bytesIn, type PlainResponse } from './message.js';
import { operation as prismOperation } from './prism-operation.generated.js';
import { describe, quoted, type Violation } from './violation.js';

/** Prism's validator for the plant store. */
export interface Prism {
  /**
   * Prism's opinion of a response: its status, media type and body. It never throws. The severities are Prism's: it accepts a
   * response with warnings only.
   */
  judgeResponse(response: PlainResponse): Violation[];
}

/** What is used of Prism's diagnostics. */
interface Diagnostic {
  readonly severity: number;
  readonly message: string;
  readonly code?: string | number;
  readonly path?: readonly (string | number)[];
}

let loaded: Promise<Prism> | undefined;

/**
 * Loads Prism's validator (0.2 s, once in a process), which gives Prism's opinion of responses in the form of our
 * violations. Prism reads JSON with `JSON.parse`, so every number is a double. All known differences from our judge are in
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
  const { validateOutput } = await import('./prism-validators.js');
  // Parsed by Prism's parser at build time.
  const resource = prismOperation as unknown as Parameters<typeof validateOutput>[0]['resource'];
  return {
    judgeResponse({ status, headers, body }) {
      const types = headerValues(headers, 'content-type').filter((value) => value !== '');
      let parsed: unknown;
      let found: readonly Diagnostic[];
      let stopped: Partial<Diagnostic> = { code: 'json' };
      try {
        parsed = parseAsPrism(types, body);
        // Prism throws if the Content-Type is not a media type: that is its opinion too.
        stopped = { code: 415 };
        // It throws on a list of values.
        const sent = types.length === 0 ? {} : { 'content-type': types.join(', ') };
        const result = validateOutput({
          resource,
          element: { statusCode: status, headers: sent, body: parsed },
        });
        found = result._tag === 'Left' ? (result.left as readonly Diagnostic[]) : [];
      } catch (cause) {
        found = [{ severity: ERROR, message: `Prism stopped: ${(cause as Error).message}`, ...stopped }];
      }
      return found.map((diagnostic) => violation(diagnostic, status, types, parsed));
    },
  };
}

const ERROR = 0;

function violation(
  { severity, message, code, path = [] }: Diagnostic,
  status: number,
  types: readonly string[],
  parsed: unknown,
): Violation {
  const rest = { message, expected: message, severity: severity === ERROR ? 'error' : 'warning' } as const;
  if (message.startsWith('Unable to match the returned status'))
    return { ...rest, part: 'status', pointer: '', keyword: 'status', actual: String(status) };
  if (code === 415 || message.startsWith('The received media type')) {
    const actual = types.map(quoted).join(' and ') || 'nothing';
    return { ...rest, part: 'header', pointer: '/content-type', keyword: 'media-type', actual };
  }
  const inBody = path[0] === 'body' ? path.slice(1) : path;
  const actual = describe(valueAt(parsed, inBody));
  return { ...rest, part: 'body', pointer: pointerTo(inBody), keyword: String(code ?? 'schema'), actual };
}

/** Reads a body as Prism's servers do: with `JSON.parse` if its media type is JSON, otherwise as text. */
function parseAsPrism(types: readonly string[], body: Body): unknown {
  const bytes = bytesIn(body);
  const text = bytes === undefined ? body : Buffer.from(bytes).toString();
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') return JSON.parse(writeJson(text as WritableJson));
  return types.some((value) => /^[^;]*[/+]json *(;|$)/i.test(value)) ? JSON.parse(text) : text;
}
