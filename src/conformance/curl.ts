import { headerValues } from '../http/fields.js';
import type { Route } from '../http/route.js';
import { type CurlRequest, curlCommand, curlWords, TOKEN_VARIABLE } from '../report/curl.js';
import type { Secret } from '../report/redaction.js';
import { listed } from '../report/wording.js';
import { operation } from '../spec/operation.js';
import { type Fields, type ProbeRequest, requestTarget, type Transfer } from './exchange.js';
import type { Probe } from './probe.js';

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
    const part = curlWords(curlRequest(request, target)).join(' ');
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
    const command = curlCommand(curlRequest(request, target));
    lines.push(together ? `${command} &` : command);
  }
  return together ? [...lines, 'wait'] : lines;
}

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

const NO_BODY = new Uint8Array();

/** A request as curl sends it. */
function curlRequest(
  request: ProbeRequest,
  { url, headers, insecure, ca, cert, tokens }: CurlTarget,
): CurlRequest {
  const { body, id, otherOperation, chunked, shell, withoutUserAgent, transfer } = request;
  const flags: string[] = [];
  if (transfer?.http10 === true) flags.push('--http1.0');
  if (insecure) flags.push('--insecure');
  if (ca !== undefined) flags.push('--cacert', '"$PLANT_STORE_CA"');
  if (cert !== undefined) flags.push('--cert', '"$PLANT_STORE_CERT"', '--key', '"$PLANT_STORE_KEY"');
  const further = headers.map(([name], at) => `"${name}: ${headerVariable(at)}"`);
  if (withoutUserAgent && headerValues(headers, 'user-agent').length === 0) further.push("'User-Agent:'");
  if (otherOperation === undefined) {
    if (chunked === true) further.push("'Transfer-Encoding: chunked'");
    // Otherwise curl waits for a 100 before it sends a large body.
    if (shell?.body !== undefined) further.push("'Expect:'");
    else if (body.length === 0) further.push("'Content-Length: 0'");
  }
  return {
    method: otherOperation?.method ?? operation.method,
    url: url.origin + requestTarget(url, request),
    headers: request.headers,
    body: otherOperation === undefined ? body : NO_BODY,
    bodyWriter: shell?.body === undefined ? undefined : `{ ${shell.body}; }`,
    id,
    secrets: requestSecrets([request], tokens),
    flags,
    furtherWords: further.flatMap((word) => ['-H', word]),
  };
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
