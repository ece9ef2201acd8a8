import { type Fields, headerValues } from '../http/fields.js';
import { COMMAND_IN_LINE, UNSEEN_IN_LINE } from './escape.js';
import { placesOf, type Secret } from './redaction.js';

/** Replaces the token in every line for a shell. */
export const TOKEN_VARIABLE = '$PLANT_STORE_TOKEN';

/** The names of the variables that commands read, in alphabetical order: nothing in a command is a secret. */
export function variablesIn(commands: readonly string[]): readonly string[] {
  return [...new Set(commands.join('\n').match(/PLANT_STORE_\w+/g))].sort();
}

/** A request that curl sends. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  readonly body: Uint8Array;
  /** A command that writes the body instead. */
  readonly bodyWriter?: string | undefined;
  /** A number in the body, instead of which the variable `id` is sent. */
  readonly id?: number | bigint | undefined;
  /** Texts that the shell fills in. The longest comes first, since it may contain another. */
  readonly secrets?: readonly Required<Secret>[];
  /** Words before the URL, and after the header fields. */
  readonly flags?: readonly string[];
  readonly furtherWords?: readonly string[];
}

/** The command for a shell that sends a request. Nothing in it makes curl read a file, or the shell run a command. */
export function curlCommand(request: CurlRequest): string {
  const { body, bodyWriter = isLine(body) ? undefined : printf(body, request.id) } = request;
  const command = `curl ${curlWords({ ...request, bodyWriter }).join(' ')}`;
  return bodyWriter === undefined ? command : `${bodyWriter} | ${command} --data-binary @-`;
}

/** Everything after `curl`, with the body if no command writes it. */
export function curlWords(request: CurlRequest): string[] {
  const { method, url, headers, body, bodyWriter, id, secrets = [], flags = [], furtherWords = [] } = request;
  const hasBody = bodyWriter !== undefined || body.length > 0;
  // With -X HEAD, curl waits for a body.
  const isHead = method === 'HEAD' && !hasBody;
  const words = [isHead ? '-I' : '-i'];
  // These mean something to curl.
  if (/[[\]{}]/.test(url)) words.push('-g');
  if (/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url)) words.push('--path-as-is');
  if (!isHead && method !== (hasBody ? 'POST' : 'GET'))
    words.push('-X', /^[A-Z]+$/.test(method) ? method : singleQuoted(method));
  words.push(...flags, shellWord(url, secrets));
  for (const field of headers) words.push('-H', headerWord(field, secrets));
  // Otherwise curl declares the body to be a form.
  if (hasBody && headerValues(headers, 'content-type').length === 0) words.push('-H', "'Content-Type:'");
  words.push(...furtherWords);
  if (bodyWriter !== undefined || !isLine(body) || body.length === 0) return words;
  // After `-d`, a text that begins with @ is the name of a file.
  const flag = body[0] === '@'.charCodeAt(0) ? '--data-raw' : '-d';
  return [...words, flag, dataWord(Buffer.from(body).toString(), id, secrets)];
}

/** A header field after `-H`. */
function headerWord([name, value]: Fields[number], secrets: readonly Required<Secret>[]): string {
  return shellWord(value === '' ? `${name};` : `${name}: ${value}`, secrets);
}

/** In single quotes, or in double quotes if the shell must fill in a secret. */
function shellWord(text: string, secrets: readonly Required<Secret>[]): string {
  const secret = secrets.find((one) => placesOf(one, text).length > 0);
  if (secret === undefined) return singleQuoted(text);
  const ends = placesOf(secret, text).map((start) => start + secret.value.length);
  const [first = '', ...rest] = [...ends.map((end) => end - secret.value.length), text.length]
    .map((end, at) => text.slice(ends[at - 1] ?? 0, end))
    .map((part) => part.replace(/[\\"$`]/g, '\\$&').replace(COMMAND_IN_LINE, '#""'));
  return `"${rest.reduce((before, after) => before + filledIn(secret.shown, after) + after, first)}"`;
}

/** A variable needs braces if a letter follows it. */
function filledIn(variable: string, after: string): string {
  return variable === TOKEN_VARIABLE && /^\w/.test(after) ? `\${${variable.slice(1)}}` : variable;
}

function dataWord(
  text: string,
  id: number | bigint | undefined,
  secrets: readonly Required<Secret>[],
): string {
  if (id === undefined || !text.includes(String(id))) return shellWord(text, secrets);
  return text
    .split(String(id))
    .map((part) => (part === '' ? '' : shellWord(part, secrets)))
    .join('"$id"');
}

/** A command that writes any bytes, with a new id instead of the old one. */
function printf(bytes: Uint8Array, id: number | bigint | undefined): string {
  const text = Buffer.from(bytes).toString('latin1');
  const [first = '', ...rest] = id === undefined ? [text] : text.split(String(id));
  const format = [first, ...rest].map(printfFormat).join('%s');
  return [`printf ${singleQuoted(format)}`, ...rest.map(() => '"$id"')].join(' ');
}

/** A word of a POSIX shell, in single quotes. */
export function singleQuoted(text: string): string {
  // A log that shows the line would otherwise give a command to a CI system: `##[error]`.
  return `'${text.replaceAll("'", "'\\''").replace(COMMAND_IN_LINE, "#''")}'`;
}

/** Whether bytes fit on one line of a shell: UTF-8 in which all can be seen, without a byte-order mark. */
function isLine(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString();
  const hasUnseen = text.includes('\ufeff') || text.search(UNSEEN_IN_LINE) !== -1;
  return !hasUnseen && Buffer.from(text).equals(bytes);
}

/** Bytes, as characters of Latin-1, as the format of `printf`. */
export function printfFormat(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replace(/[^\x20-\x7e]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
