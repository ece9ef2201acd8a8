import { headerValues } from '../http/fields.js';
import type { Route } from '../http/route.js';
import { COMMAND_IN_LINE } from '../report/escape.js';
import { placesOf, type Secret } from '../report/redaction.js';
import { isLine, printfFormat, singleQuoted } from '../report/shell-words.js';
import { listed } from '../report/wording.js';
import { operation } from '../spec/operation.js';
import { type Fields, type ProbeRequest, requestTarget, type Transfer } from './exchange.js';
import type { Probe } from './probe.js';

/** Replaces the token in every text that leaves the checker. */
const TOKEN_VARIABLE = '$PLANT_STORE_TOKEN';

/** A random number below 2^30. `RANDOM` of bash has 15 bits: so few would soon give an id that the provider has. */
const RANDOM = 'RANDOM * 32768 + RANDOM';

/** Where the lines send the requests. */
export type CurlTarget = Route & {
  /** Every token that the requests may carry. */
  readonly tokens: Iterable<string>;
};

/**
 * Lines for bash or zsh that send the requests of a probe, with new ids in the same ranges. They read the token from
 * the environment.
 *
 * @param probe says whether they go over one connection, which curl keeps for `--next`, and whether they go at once
 */
export function curlLines(
  requests: readonly ProbeRequest[],
  target: CurlTarget,
  { oneConnection = false, together = false }: Pick<Probe, 'oneConnection' | 'together'> = {},
): readonly string[] {
  return oneConnection
    ? linesOfOneConnection(requests, target)
    : linesOfConnections(requests, target, together);
}

/** All requests share one curl command, so the ids of later ones are made of the first one. */
function linesOfOneConnection(requests: readonly ProbeRequest[], target: CurlTarget): readonly string[] {
  const ids = [...new Set(requests.flatMap(({ id }) => (id === undefined ? [] : [id])))];
  const parts = requests.map((request) => {
    const more = request.id === undefined ? 0 : ids.indexOf(request.id);
    const part = options(request, target).join(' ');
    return more === 0 ? part : part.replaceAll('"$id"', `"$((id + ${more}))"`);
  });
  const first = requests.find(({ id }) => id !== undefined);
  return [
    ...(first === undefined ? [] : [assignmentOf(first)]),
    ...transfersOf(requests),
    `curl ${parts.join(' --next ')}`,
  ];
}

function linesOfConnections(
  requests: readonly ProbeRequest[],
  target: CurlTarget,
  together: boolean,
): readonly string[] {
  const lines: string[] = [];
  const known: (number | bigint)[] = [];
  let lastId: number | bigint | undefined;
  for (const [at, request] of requests.entries()) {
    const { id, shell } = request;
    if (id !== undefined && id !== lastId) {
      const place = known.indexOf(id) + 1;
      const isBack = place > 0 && shell?.newId === undefined;
      lines.push(isBack ? `id=$id${place}` : assignmentOf(request));
      const comesBack = requests
        .slice(at + 2)
        .some((later) => later.id === id && later.shell?.newId === undefined);
      if (!isBack && known.push(id) > 0 && comesBack) lines.push(`id${known.length}=$id`);
      lastId = id;
    }
    lines.push(...transfersOf([request]));
    lines.push(together ? `${command(request, target)} &` : command(request, target));
  }
  return together ? [...lines, 'wait'] : lines;
}

/** A line that makes a new id. */
function assignmentOf({ shell }: ProbeRequest): string {
  return `id=${sumInShell(shell?.newId?.replaceAll('RANDOM', `(${RANDOM})`) ?? RANDOM)}`;
}

/**
 * A sum as a shell computes it. Its numbers end at int64, so of a larger sum it computes the last ten digits: an ordinary id is
 * small enough to change no others.
 */
function sumInShell(sum: string): string {
  const [, small, first = '', last = ''] = /^(.*) \+ (\d{10,})(\d{10})$/.exec(sum) ?? [];
  return small === undefined ? `$((${sum}))` : `${first}$((${small} + ${last}))`;
}

/** What curl does not do as the check did, as comments. */
function transfersOf(requests: readonly ProbeRequest[]): string[] {
  return requests.flatMap(({ transfer = {} }) => {
    const { http10, ...others } = transfer;
    return Object.keys(others).length === 0 ? [] : [transferInWords(others)];
  });
}

/** A comment: curl decides itself how it divides a message. */
function transferInWords({
  headCuts,
  bodyCuts,
  chunks,
  cutAfterHead,
  awaitContinue,
  endsTogether,
}: Transfer): string {
  const at = (cuts: readonly number[]): string =>
    `${cuts.slice(0, 5).join(', ')}${cuts.length > 5 ? ', …' : ''}`;
  const words = [
    ...(headCuts === undefined ? [] : [`its head cut at byte ${at(headCuts)}`]),
    ...(cutAfterHead === true ? ['its head and body apart'] : []),
    ...(chunks === undefined ? [] : [`chunks of ${at(chunks)} bytes`]),
    ...(bodyCuts === undefined ? [] : [`its body cut at byte ${at(bodyCuts)}`]),
    ...(endsTogether === true ? ['its last byte at the same moment as the others'] : []),
    ...(awaitContinue === true ? ['its body after a 100'] : []),
  ];
  return `# The check sent this request with ${listed(words) || 'trailers'}. curl sends it in its own way.`;
}

function command(request: ProbeRequest, target: CurlTarget): string {
  const { body, id, shell } = request;
  const parts = options(request, target);
  if (shell?.body !== undefined) return `{ ${shell.body}; } | curl ${parts.join(' ')} --data-binary @-`;
  if (!isLine(body)) return `${printf(body, id)} | curl ${parts.join(' ')} --data-binary @-`;
  return `curl ${parts.join(' ')}`;
}

/** Everything after `curl`, with the body if it is text. */
function options(
  request: ProbeRequest,
  { url, headers, insecure, ca, cert, outbound, tokens }: CurlTarget,
): string[] {
  const secrets = requestSecrets([request], tokens);
  const { body, otherOperation, chunked, shell, withoutUserAgent, transfer } = request;
  const hasData = otherOperation === undefined && (shell?.body !== undefined || body.length > 0);
  const target = url.origin + requestTarget(url, request);
  const words = ['-i'];
  // These mean something to curl.
  if (/[[\]{}]/.test(target)) words.push('-g');
  if (!hasData) words.push('-X', otherOperation?.method ?? operation.method);
  const addHeader = (field: string): void => void words.push('-H', shellWord(field, secrets));
  if (transfer?.http10 === true) words.push('--http1.0');
  if (insecure) words.push('--insecure');
  if (ca !== undefined) words.push('--cacert', '"$PLANT_STORE_CA"');
  if (cert !== undefined) words.push('--cert', '"$PLANT_STORE_CERT"', '--key', '"$PLANT_STORE_KEY"');
  // With a tunnel, the bytes of a request are those of the check.
  if (outbound !== undefined) words.push('--proxytunnel', '--proxy', '"$PLANT_STORE_PROXY"');
  words.push(shellWord(target, secrets));
  for (const [name, value] of request.headers) addHeader(value === '' ? `${name};` : `${name}: ${value}`);
  for (const [at, [name]] of headers.entries()) words.push('-H', `"${name}: ${headerVariable(at)}"`);
  if (withoutUserAgent && headerValues(headers, 'user-agent').length === 0) addHeader('User-Agent:');
  if (otherOperation !== undefined) return words;
  // Otherwise curl declares the body to be a form.
  if (headerValues(request.headers, 'content-type').length === 0) addHeader('Content-Type:');
  if (chunked === true) addHeader('Transfer-Encoding: chunked');
  // Otherwise curl waits for a 100 before it sends a large body.
  if (shell?.body !== undefined) addHeader('Expect:');
  else if (body.length === 0) addHeader('Content-Length: 0');
  else if (isLine(body))
    words.push(dataFlag(body), dataWord(Buffer.from(body).toString(), request.id, secrets));
  return words;
}

/** After `-d`, a text that begins with @ is the name of a file. */
function dataFlag([first]: Uint8Array): string {
  return first === '@'.charCodeAt(0) ? '--data-raw' : '-d';
}

/** The tokens, and what the requests derive from them. The longest comes first, since it may contain another. */
export function requestSecrets(
  requests: readonly ProbeRequest[],
  tokens: Iterable<string>,
): readonly Required<Secret>[] {
  const derived = requests.flatMap(({ secrets = [] }) => secrets);
  const whole = [...tokens].map((value) => ({ value, shown: TOKEN_VARIABLE }));
  return [...derived, ...whole].sort((a, b) => b.value.length - a.value.length);
}

/** The values of the further headers. They are often keys, so they are as secret as the token. */
export function headerSecrets(headers: Fields): readonly Required<Secret>[] {
  return headers.map(([, value], at) => ({ value, shown: headerVariable(at) }));
}

function headerVariable(at: number): string {
  return `$PLANT_STORE_HEADER_${at + 1}`;
}

/** A command that writes any bytes, with a new id instead of the old one. */
function printf(bytes: Uint8Array, id: number | bigint | undefined): string {
  const text = Buffer.from(bytes).toString('latin1');
  const [first = '', ...rest] = id === undefined ? [text] : text.split(String(id));
  const format = [first, ...rest].map(printfFormat).join('%s');
  return [`printf ${singleQuoted(format)}`, ...rest.map(() => '"$id"')].join(' ');
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
