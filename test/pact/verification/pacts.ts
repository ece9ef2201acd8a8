import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An interaction in few words, as it would be in a pact of version 4. */
export interface Sketch {
  readonly description: string;
  /** Names of states, and their parameters as JSON. */
  readonly given?: Readonly<Record<string, string>>;
  /** `undefined`: the usual one; `null`: none. */
  readonly authorization?: string | null;
  /** The body of the request as JSON text, so that its numbers stay as they are. */
  readonly body?: string;
  readonly generators?: string;
  readonly method?: string;
  readonly path?: string;
  /** A status, or any of the class of client errors. */
  readonly answers?: number | 'clientError';
  /** The body of the response as JSON text; every value in it stands for its type. */
  readonly response?: string;
  readonly pending?: boolean;
}

/** Puts the value that a state gives for `id` into the body. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: Pact's own writing
export const ID_FROM_STATE = '{"body":{"$.id":{"type":"ProviderState","expression":"${id}"}}}';

const ANY_TYPE = '{"body":{"$":{"matchers":[{"match":"type"}]}}';

function interaction(sketch: Sketch): string {
  const { description, given = {}, authorization = 'Bearer example', answers = 200 } = sketch;
  const { body = '{"name":"Aloe","id":7}', method = 'POST', path = '/plants', pending = false } = sketch;
  const { response = answers === 200 ? '{"name":"Aloe"}' : '{"error":1,"message":"refused"}' } = sketch;
  const states = Object.entries(given).map(
    ([name, params]) => `{"name":${JSON.stringify(name)},"params":${params}}`,
  );
  const token = authorization === null ? '' : `"Authorization":[${JSON.stringify(authorization)}],`;
  const content = (json: string): string =>
    `{"content":${json},"contentType":"application/json","encoded":false}`;
  const status = answers === 'clientError' ? 400 : answers;
  const statusRule =
    answers === 'clientError'
      ? ',"status":{"$":{"matchers":[{"match":"statusCode","status":"clientError"}]}}'
      : '';
  const generators = sketch.generators === undefined ? '' : `,"generators":${sketch.generators}`;
  return `{"description":${JSON.stringify(description)},"pending":${pending},"type":"Synchronous/HTTP",
    "providerStates":[${states}],
    "request":{"method":"${method}","path":"${path}",
      "headers":{${token}"Content-Type":["application/json"]},"body":${content(body)}${generators}},
    "response":{"status":${status},"headers":{"Content-Type":["application/json"]},"body":${content(response)},
      "matchingRules":${ANY_TYPE}${statusRule}}}}`;
}

/** A pact of version 4, as JSON text. */
export function pactOf(sketches: readonly Sketch[], provider = 'plant-store', consumer = 'garden'): string {
  return `{"consumer":{"name":"${consumer}"},"provider":{"name":"${provider}"},
    "interactions":[${sketches.map(interaction).join(',')}],
    "metadata":{"pactSpecification":{"version":"4.0"}}}`;
}

/** A folder of the test's own with these files in it. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** A file with a pact of these interactions. */
export async function pactFile(...sketches: readonly Sketch[]): Promise<string> {
  return join(await folderWith({ 'pact.json': pactOf(sketches) }), 'pact.json');
}
