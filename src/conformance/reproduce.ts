import type { Route } from '../http/route.js';
import { HOUSE_LEVEL } from '../report/conclusion.js';
import { COMMAND_IN_LINE, escaped, UNSEEN_IN_LINE } from '../report/escape.js';
import { type Fields, type ProbeRequest, requestTarget } from './exchange.js';
import { isDrawn, isHouseProbe, type Probe, rowOf } from './row.js';
import type { AnyRule } from './rule.js';
import { FRESH_NAME } from './template.js';

/** Replaces the token in every line. */
export const TOKEN_VARIABLE = '$PLANT_STORE_TOKEN';

/** Where the lines send the requests. */
export type LineTarget = Route & {
  readonly baseUrl: string;
  /** Every token that the requests may carry. */
  readonly tokens: Iterable<string>;
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
  probe: Probe,
  requests: readonly ProbeRequest[],
  target: LineTarget,
  rule?: Pick<AnyRule, 'level'>,
): string {
  const [request] = requests;
  const line = request === undefined || requests.length > 1 ? undefined : curlLine(request, target);
  if (line !== undefined) return line;
  const { name } = probe;
  // ASCII, so that all can be seen, and copied from any terminal.
  const row = isDrawn(name) ? JSON.stringify(rowOf(probe)).replace(/[^ -~]/g, escaped) : name;
  const isOfHouse = isHouseProbe(name) || rule?.level === HOUSE_LEVEL;
  return [
    ...['npx plant-store-contract check', word(target.baseUrl), '--row', word(row)],
    ...['--token', `"${TOKEN_VARIABLE}"`],
    ...target.headers.flatMap(([field], at) => ['--header', headerWord(field, at)]),
    ...(isOfHouse ? ['--rules', '"$PLANT_STORE_RULES"'] : []),
    ...routeFlags(target, '--ca'),
  ].join(' ');
}

/** The longest body, in bytes, that a reader wants to see in a line. */
const LONGEST = 1_000;

/** The command that sends a request, if curl sends the same message. It makes curl read no file, and the shell run no command. */
function curlLine(request: ProbeRequest, target: LineTarget): string | undefined {
  const { url, headers } = target;
  const tokens = [...target.tokens];
  const body = Buffer.from(request.body).toString();
  const fields = request.headers.map((field) => fieldWord(field, tokens));
  const isSame = isOrdinary(request) && isPlainAddress(url) && !tokens.some((one) => body.includes(one));
  // Without a media type, curl declares the body to be a form.
  const hasType = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  if (!isSame || !hasType || fields.includes(undefined)) return undefined;
  const further = headers.map(([name], at) => headerWord(name, at));
  return [
    'curl -i',
    ...routeFlags(target, '--cacert'),
    singleQuoted(url.origin + requestTarget(url, request)),
    ...[...fields, ...further].flatMap((field) => ['-H', field]),
    '-d',
    withNewValues(body, request.id),
  ].join(' ');
}

/** Whether nothing in a request depends on the token, on an id of a pattern, on numbers of requests, or on how it is transferred. */
function isOrdinary(request: ProbeRequest): boolean {
  const { body, id, hasPlainId, hasNumbers, secrets, otherOperation, query, transfer } = request;
  const isElsewhere = otherOperation !== undefined || query !== undefined;
  const isSentApart = request.isUnusual || request.chunked || request.withoutUserAgent || transfer;
  const isSame = secrets === undefined && hasNumbers === undefined && !isElsewhere && !isSentApart;
  return (
    isSame &&
    (id === undefined || hasPlainId === true) &&
    hasOneName(body) &&
    body.length <= LONGEST &&
    isLine(body)
  );
}

/** Whether no fresh name is in a body twice: another one each time would make another request. */
function hasOneName(body: Uint8Array): boolean {
  const names = Buffer.from(body).toString().match(FRESH_NAME) ?? [];
  return new Set(names).size === names.length;
}

/**
 * Whether bytes fit on one line of a shell: UTF-8 in which all can be seen, without a byte-order mark. After `-d`, a text that begins
 * with @ is the name of a file.
 */
function isLine(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString();
  const hasUnseen = text.includes('\ufeff') || text.search(UNSEEN_IN_LINE) !== -1;
  return text !== '' && !text.startsWith('@') && !hasUnseen && Buffer.from(text).equals(bytes);
}

/** Whether curl takes nothing in an address for a pattern, and changes none of its segments. */
function isPlainAddress({ href }: URL): boolean {
  return !/[[\]{}]|\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(href);
}

/** A field as a word of a shell, which fills in the token at the end. `undefined`: curl or a shell would change it. */
function fieldWord([name, value]: Fields[number], tokens: readonly string[]): string | undefined {
  const token = tokens.find((one) => value.includes(one));
  if (token === undefined) return value === '' ? undefined : singleQuoted(`${name}: ${value}`);
  const before = value.slice(0, -token.length);
  const isPlain = value === before + token && /^[\w -]*$/.test(name + before);
  return isPlain ? `"${name}: ${before}${TOKEN_VARIABLE}"` : undefined;
}

/** `RANDOM` of bash has 15 bits: so few would soon give an id that the provider has. */
const NEW_ID = '"$((RANDOM * 32768 + RANDOM))"';
/** Letters, as in the names of a check: a provider may want unique names, and no digits in them. */
const NEW_NAME = 'Aloe"$(echo $RANDOM$RANDOM | tr 0-9 a-j)"';

/** A body as a word of a shell, with another name and another id each time: those in it exist already. */
function withNewValues(body: string, id: ProbeRequest['id']): string {
  const names = [...new Set(body.match(FRESH_NAME))];
  const values = new Map(names.map((name) => [name, NEW_NAME]));
  if (id !== undefined) values.set(String(id), NEW_ID);
  const all = [...values.keys()].join('|');
  const parts = all === '' ? [body] : body.split(new RegExp(`(${all})`));
  return parts.map((part) => values.get(part) ?? (part === '' ? '' : singleQuoted(part))).join('');
}

function routeFlags({ insecure, ca, cert }: Route, caFlag: string): string[] {
  return [
    ...(insecure ? ['--insecure'] : []),
    ...(ca === undefined ? [] : [caFlag, '"$PLANT_STORE_CA"']),
    ...(cert === undefined ? [] : ['--cert', '"$PLANT_STORE_CERT"', '--key', '"$PLANT_STORE_KEY"']),
  ];
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

/** Replaces the value of a further header in every line. */
export function headerVariable(at: number): string {
  return `$PLANT_STORE_HEADER_${at + 1}`;
}
