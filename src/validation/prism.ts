import { headerValues } from '../http/fields.js';
import { type WritableJson, writeJson } from './json.js';
import { type Body, bytesIn, type PlainResponse } from './message.js';
import { operation as prismOperation } from './prism-operation.generated.js';

/** Prism's validator for the plant store. */
export interface Prism {
  /** The errors that Prism finds in a response: in its status, media type and body. What it warns of is none. It never throws. */
  errorsIn(response: PlainResponse): string[];
}

/** What is used of Prism's diagnostics. */
interface Diagnostic {
  readonly severity: number;
  readonly message: string;
}

let loaded: Promise<Prism> | undefined;

/**
 * Loads Prism's validator (0.2 s, once in a process), which gives Prism's opinion of responses. Prism reads JSON with `JSON.parse`,
 * so every number is a double. All known differences from our judge are in `test/validation/prism-opinions.ts`.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { loadPrism } from 'plant-store-contract/validation';
 *
 * const prism = await loadPrism();
 * const headers = { 'content-type': 'application/json' };
 * const errors = prism.errorsIn({ status: 200, headers, body: '{"tag":"succulent"}' });
 * assert.deepEqual(errors, ["Response body must have required property 'name'"]);
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
    errorsIn({ status, headers, body }) {
      const types = headerValues(headers, 'content-type').filter((value) => value !== '');
      // It throws on a list of values.
      const sent = types.length === 0 ? {} : { 'content-type': types.join(', ') };
      try {
        const element = { statusCode: status, headers: sent, body: parseAsPrism(types, body) };
        const result = validateOutput({ resource, element });
        const found = result._tag === 'Left' ? (result.left as readonly Diagnostic[]) : [];
        return found.flatMap(({ severity, message }) => (severity === ERROR ? [message] : []));
      } catch (cause) {
        // Also if the Content-Type is not a media type: that is its opinion too.
        return [`Prism stopped: ${(cause as Error).message}`];
      }
    },
  };
}

const ERROR = 0;

/** Reads a body as Prism's servers do: with `JSON.parse` if its media type is JSON, otherwise as text. */
function parseAsPrism(types: readonly string[], body: Body): unknown {
  const bytes = bytesIn(body);
  const text = bytes === undefined ? body : Buffer.from(bytes).toString();
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') return JSON.parse(writeJson(text as WritableJson));
  return types.some((value) => /^[^;]*[/+]json *(;|$)/i.test(value)) ? JSON.parse(text) : text;
}
