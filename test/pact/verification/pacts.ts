import { join } from 'node:path';
import { folderWith } from '../../folder.js';

/** A short description of an interaction in a pact of version 4. */
export interface Sketch {
  readonly description: string;
  /** The names of states, with their parameters as JSON. */
  readonly given?: Readonly<Record<string, string>>;
  /** Default: an example; `null`: no header. */
  readonly authorization?: string | null;
  /** Further header fields of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the request as JSON text with exact numbers. */
  readonly body?: string;
  readonly generators?: string;
  readonly method?: string;
  readonly path?: string;
  /** A status, or the class of client errors. */
  readonly status?: number | 'clientError';
  /** The body of the response as JSON text. Every value is matched by its type. */
  readonly response?: string;
  readonly pending?: boolean;
}

/** The largest id. */
export const LARGEST = '9223372036854775807';

/** A plain creation. */
export const creation: Sketch = { description: 'a creation', given: { 'no plant with id': '{"id":7}' } };

/** Puts the value that a state gives for `id` into the body. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: Pact's own writing
export const ID_FROM_STATE = '{"body":{"$.id":{"type":"ProviderState","expression":"${id}"}}}';

const ANY_TYPE = '{"body":{"$":{"matchers":[{"match":"type"}]}}';

function interaction(sketch: Sketch): string {
  const { description, given = {}, authorization = 'Bearer example', status = 200 } = sketch;
  const { body = '{"name":"Aloe","id":7}', method = 'POST', path = '/plants', pending = false } = sketch;
  const { response = status === 200 ? '{"name":"Aloe"}' : '{"error":1,"message":"rejected"}' } = sketch;
  const states = Object.entries(given).map(
    ([name, params]) => `{"name":${JSON.stringify(name)},"params":${params}}`,
  );
  const token = authorization === null ? '' : `"Authorization":[${JSON.stringify(authorization)}],`;
  const more = Object.entries(sketch.headers ?? {}).map(([name, value]) => `,"${name}":["${value}"]`);
  const content = (json: string): string =>
    `{"content":${json},"contentType":"application/json","encoded":false}`;
  const example = status === 'clientError' ? 400 : status;
  const statusRule =
    status === 'clientError'
      ? ',"status":{"$":{"matchers":[{"match":"statusCode","status":"clientError"}]}}'
      : '';
  const generators = sketch.generators === undefined ? '' : `,"generators":${sketch.generators}`;
  return `{"description":${JSON.stringify(description)},"pending":${pending},"type":"Synchronous/HTTP",
    "providerStates":[${states}],
    "request":{"method":"${method}","path":"${path}",
      "headers":{${token}"Content-Type":["application/json"]${more.join('')}},"body":${content(body)}${generators}},
    "response":{"status":${example},"headers":{"Content-Type":["application/json"]},"body":${content(response)},
      "matchingRules":${ANY_TYPE}${statusRule}}}}`;
}

/** The interactions of a pact of version 4, as JSON text. */
export function interactionsOf(sketches: readonly Sketch[]): string {
  return `[${sketches.map(interaction).join(',')}]`;
}

/** A pact of version 4, as JSON text. */
export function pactOf(sketches: readonly Sketch[], provider = 'plant-store', consumer = 'garden'): string {
  return `{"consumer":{"name":"${consumer}"},"provider":{"name":"${provider}"},
    "interactions":${interactionsOf(sketches)},
    "metadata":{"pactSpecification":{"version":"4.0"}}}`;
}

/** A file with a pact of these interactions. */
export function pactFile(...sketches: readonly Sketch[]): string {
  return join(folderWith({ 'pact.json': pactOf(sketches) }), 'pact.json');
}
