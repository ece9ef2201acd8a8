import { headerValues } from '../http/fields.js';
import type { Route } from '../http/route.js';
import { HOUSE_LEVEL } from '../report/conclusion.js';
import { COMMAND_IN_LINE, UNSEEN_IN_LINE } from '../report/escape.js';
import { placesOf, type Secret } from '../report/redaction.js';
import { type Fields, type ProbeRequest, requestTarget } from './exchange.js';
import { FAILURES_FILE } from './exploring/exploration.js';
import { RESPONSE_TIME } from './house.js';
import { isHouseProbe, type Probe } from './probe.js';
import type { AnyRule } from './rule.js';
import { probes } from './topics/index.js';

/** Replaces the token in every line. */
const TOKEN_VARIABLE = '$PLANT_STORE_TOKEN';

/** Where the lines send the requests. */
export type LineTarget = Route & {
  readonly baseUrl: string;
  /** Every token that the requests may carry. */
  readonly tokens: Iterable<string>;
  readonly maxResponseTimeMs?: number;
};

/**
 * A line for bash or zsh that sends a probe again, with new ids. Of an ordinary request, it is a `curl` command that shows
 * everything; otherwise, the command that sends this row alone. It reads secrets from the environment.
 *
 * @param probe what is sent
 * @param requests what was sent of it
 * @param rule what it breaks, if it does
 */
export function reproduceLine(
  { name }: Pick<Probe, 'name'>,
  requests: readonly ProbeRequest[],
  target: LineTarget,
  rule?: Pick<AnyRule, 'id' | 'level'>,
): string {
  const [request] = requests;
  if (request !== undefined && requests.length === 1 && isOrdinary(request)) return curlLine(request, target);
  const what =
    isHouseProbe(name) || coreNames().has(name) ? ['--row', word(name)] : ['--replay', FAILURES_FILE];
  const isSlow = rule?.id === RESPONSE_TIME;
  const isOfHouse = isHouseProbe(name) || (rule?.level === HOUSE_LEVEL && !isSlow);
  return [
    ...['plant-store', 'check', word(target.baseUrl), ...what],
    ...['--token', `"${TOKEN_VARIABLE}"`],
    ...target.headers.flatMap(([field], at) => ['--header', headerWord(field, at)]),
    ...(isOfHouse ? ['--rules', '"$PLANT_STORE_RULES"'] : []),
    ...(isSlow ? ['--max-response-time', String(target.maxResponseTimeMs)] : []),
    ...routeFlags(target, '--ca'),
  ].join(' ');
}

let names: ReadonlySet<string> | undefined;

/** The names of all rows of the interface. Others were drawn. */
function coreNames(): ReadonlySet<string> {
  names ??= new Set(probes.flatMap(({ name, parts = [] }) => [name, ...parts.map((part) => part.name)]));
  return names;
}

/** The longest body, in bytes, that a reader wants to see in a line. */
const LONGEST = 1_000;

/** Whether curl sends the same message: nothing in it depends on the token, on an id of a pattern, or on how it is transferred. */
function isOrdinary(request: ProbeRequest): boolean {
  const { body, id, hasPlainId, secrets, otherOperation, query, transfer } = request;
  const isElsewhere = otherOperation !== undefined || query !== undefined;
  const isSentApart = request.isUnusual || request.chunked || request.withoutUserAgent || transfer;
  const isSame = secrets === undefined && !isElsewhere && !isSentApart;
  return isSame && (id === undefined || hasPlainId === true) && body.length <= LONGEST && isLine(body);
}

/** Whether bytes fit on one line of a shell: UTF-8 in which all can be seen, without a byte-order mark. */
function isLine(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString();
  const hasUnseen = text.includes('\ufeff') || text.search(UNSEEN_IN_LINE) !== -1;
  return text !== '' && !hasUnseen && Buffer.from(text).equals(bytes);
}

/** The command that sends a request. Nothing in it makes curl read a file, or the shell run a command. */
function curlLine(request: ProbeRequest, target: LineTarget): string {
  const { url, headers, tokens } = target;
  const address = url.origin + requestTarget(url, request);
  const secrets = [...tokens].map((value) => ({ value, shown: TOKEN_VARIABLE }));
  const fields = request.headers.map(([name, value]) =>
    shellWord(value === '' ? `${name};` : `${name}: ${value}`, secrets),
  );
  // Otherwise curl declares the body to be a form.
  if (headerValues(request.headers, 'content-type').length === 0) fields.push("'Content-Type:'");
  fields.push(...headers.map(([name], at) => headerWord(name, at)));
  const body = Buffer.from(request.body).toString();
  return [
    'curl -i',
    // These mean something to curl.
    ...(/[[\]{}]/.test(address) ? ['-g'] : []),
    ...(/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(address) ? ['--path-as-is'] : []),
    ...routeFlags(target, '--cacert'),
    singleQuoted(address),
    ...fields.flatMap((field) => ['-H', field]),
    // After `-d`, a text that begins with @ is the name of a file.
    body.startsWith('@') ? '--data-raw' : '-d',
    withNewId(body, request.id, secrets),
  ].join(' ');
}

/** `RANDOM` of bash has 15 bits: so few would soon give an id that the provider has. */
const NEW_ID = '"$((RANDOM * 32768 + RANDOM))"';

function withNewId(body: string, id: ProbeRequest['id'], secrets: readonly Required<Secret>[]): string {
  return body
    .split(id === undefined ? /(?!)/ : String(id))
    .map((part) => (part === '' ? '' : shellWord(part, secrets)))
    .join(NEW_ID);
}

function routeFlags({ insecure, ca, cert }: Route, caFlag: string): string[] {
  return [
    ...(insecure ? ['--insecure'] : []),
    ...(ca === undefined ? [] : [caFlag, '"$PLANT_STORE_CA"']),
    ...(cert === undefined ? [] : ['--cert', '"$PLANT_STORE_CERT"', '--key', '"$PLANT_STORE_KEY"']),
  ];
}

/** In single quotes, or in double quotes if the shell must fill in a secret. */
function shellWord(text: string, secrets: readonly Required<Secret>[]): string {
  const secret = secrets.find((one) => placesOf(one, text).length > 0);
  if (secret === undefined) return singleQuoted(text);
  const ends = placesOf(secret, text).map((start) => start + secret.value.length);
  const parts = [...ends.map((end) => end - secret.value.length), text.length]
    .map((end, at) => text.slice(ends[at - 1] ?? 0, end))
    .map((part) => part.replace(/[\\"$`]/g, '\\$&').replace(COMMAND_IN_LINE, '#""'));
  // A variable needs braces if a letter follows it.
  const filledIn = (after: string): string =>
    /^\w/.test(after) ? `\${${secret.shown.slice(1)}}` : secret.shown;
  return `"${parts.reduce((before, after) => before + filledIn(after) + after)}"`;
}

/** A word of a POSIX shell, in single quotes. */
function singleQuoted(text: string): string {
  // A log that shows the line would otherwise give a command to a CI system: `##[error]`.
  return `'${text.replaceAll("'", "'\\''").replace(COMMAND_IN_LINE, "#''")}'`;
}

/** A word without quotes, if a shell changes nothing in it. */
function word(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : singleQuoted(text);
}

function headerWord(name: string, at: number): string {
  return `"${name}: ${headerVariable(at)}"`;
}

function headerVariable(at: number): string {
  return `$PLANT_STORE_HEADER_${at + 1}`;
}

/** The tokens, and what requests derive from them. The longest comes first, since it may contain another. */
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
