import { type Fields, type ProbeRequest, requestTarget, type Secret } from '../exchange.js';
import type { Probe } from '../probe.js';

/** What stands for the token in every text that leaves the checker. */
export const TOKEN_VARIABLE = '$PLANT_STORE_TOKEN';

/** Random bits from a POSIX shell, which has no $RANDOM. */
const RANDOM = '$(od -An -N4 -tu4 /dev/urandom)';
/** Positive and below 2^31, like the ids that probes are made of. */
const ORDINARY_ID = 'RANDOM / 2 + 1';

/** What the lines need to know beside the requests. */
export interface CurlTarget {
  /** The URL of the operation. */
  readonly url: URL;
  readonly token: string;
  /** Sent with every request. */
  readonly headers: ProbeRequest['headers'];
  /** Whether certificates are not looked at. */
  readonly insecure: boolean;
  readonly ca?: string;
}

/**
 * Lines for a POSIX shell that send the requests of a probe again, with new ids in the same ranges. The token is
 * read from the environment.
 *
 * @param probe how they are sent: over one connection, which curl keeps from one `--next` to another, or at once
 */
export function curlLines(
  requests: readonly ProbeRequest[],
  target: CurlTarget,
  { oneConnection = false, together = false }: Pick<Probe, 'oneConnection' | 'together'> = {},
): readonly string[] {
  const lines: string[] = [];
  const commands: string[] = [];
  let lastId: number | bigint | undefined;
  for (const request of requests) {
    const { id, shell } = request;
    if (id !== undefined && (oneConnection ? lastId === undefined : id !== lastId)) {
      lines.push(`id=$((${(shell?.newId ?? ORDINARY_ID).replaceAll('RANDOM', RANDOM)}))`);
      lastId = id;
    }
    if (oneConnection) commands.push(options(request, target).join(' '));
    else lines.push(together ? `${command(request, target)} &` : command(request, target));
  }
  // The second request of a connection meets a plant of the first one's id unless its id is another.
  if (oneConnection)
    lines.push(
      `curl ${commands.map((part, at) => (at === 0 ? part : part.replaceAll('"$id"', '"$((id + 1))"'))).join(' --next ')}`,
    );
  return together ? [...lines, 'wait'] : lines;
}

function command(request: ProbeRequest, target: CurlTarget): string {
  const { body, id, shell } = request;
  const parts = options(request, target);
  if (shell?.body !== undefined) return `{ ${shell.body}; } | curl ${parts.join(' ')} --data-binary @-`;
  if (!isText(body)) return `${printf(body, id)} | curl ${parts.join(' ')} --data-binary @-`;
  return `curl ${parts.join(' ')}`;
}

/** Everything after `curl`; a body that is text included. */
function options(request: ProbeRequest, { url, token, headers, insecure, ca }: CurlTarget): string[] {
  const secrets = secretsOf([request], token);
  const { body, elsewhere, chunked, shell } = request;
  const parts = ['-gsS', '-i', '-X', elsewhere?.method ?? 'POST'];
  if (insecure) parts.push('--insecure');
  if (ca !== undefined) parts.push('--cacert', '"$PLANT_STORE_CA"');
  parts.push(shellWord(url.origin + requestTarget(url, request), secrets));
  for (const [name, value] of request.headers)
    parts.push('-H', shellWord(value === '' ? `${name};` : `${name}: ${value}`, secrets));
  for (const [at, [name]] of headers.entries()) parts.push('-H', `"${name}: ${headerVariable(at)}"`);
  if (elsewhere !== undefined) return parts;
  // Without this curl says that a body is a form.
  const isTyped = request.headers.some(([name]) => name === 'Content-Type');
  if (!isTyped) parts.push('-H', "'Content-Type:'");
  if (chunked === true) parts.push('-H', "'Transfer-Encoding: chunked'");
  // For a large body curl would wait for a 100 first.
  if (shell?.body !== undefined) parts.push('-H', "'Expect:'");
  else if (body.length === 0) parts.push('-H', "'Content-Length: 0'");
  else if (isText(body))
    parts.push('--data-binary', dataWord(Buffer.from(body).toString(), request.id, secrets));
  return parts;
}

/** The token and what was made of it: what holds another comes before it. */
export function secretsOf(requests: readonly ProbeRequest[], token: string): readonly Secret[] {
  const made = requests.flatMap(({ secrets = [] }) => secrets);
  return [...made, { value: token, shell: TOKEN_VARIABLE }].sort((a, b) => b.value.length - a.value.length);
}

/** The values of further headers are as secret as the token: they are keys, more often than not. */
export function headerSecrets(headers: Fields): readonly Secret[] {
  return headers.map(([, value], at) => ({ value, shell: headerVariable(at) }));
}

function headerVariable(at: number): string {
  return `$PLANT_STORE_HEADER_${at + 1}`;
}

/** Whether bytes can stand in one line: UTF-8 without control characters and without a byte-order mark. */
function isText(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString();
  return !/[\p{Cc}\ufeff]/u.test(text) && Buffer.from(text).equals(bytes);
}

/** A command that writes any bytes, with a new id in the place of the old one. */
function printf(bytes: Uint8Array, id: number | bigint | undefined): string {
  const format = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replace(/[^\x20-\x7e]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
  if (id === undefined || !format.includes(String(id))) return `printf ${singleQuoted(format)}`;
  const parts = format.split(String(id));
  const ids = parts.slice(1).map(() => '"$id"');
  return `printf ${singleQuoted(parts.join('%s'))} ${ids.join(' ')}`;
}

/** In single quotes, or in double quotes where a secret has to be filled in. */
function shellWord(text: string, secrets: readonly Secret[]): string {
  const secret = secrets.find(({ value }) => text.includes(value));
  if (secret === undefined) return singleQuoted(text);
  const [first = '', ...rest] = text.split(secret.value).map((part) => part.replace(/[\\"$`]/g, '\\$&'));
  return `"${rest.reduce((before, after) => before + filledIn(secret.shell, after) + after, first)}"`;
}

/** A variable that a letter follows needs braces. */
function filledIn(shell: string, after: string): string {
  return shell === TOKEN_VARIABLE && /^\w/.test(after) ? `\${${shell.slice(1)}}` : shell;
}

function dataWord(text: string, id: number | bigint | undefined, secrets: readonly Secret[]): string {
  if (id === undefined || !text.includes(String(id))) return shellWord(text, secrets);
  return text
    .split(String(id))
    .map((part) => (part === '' ? '' : shellWord(part, secrets)))
    .join('"$id"');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
