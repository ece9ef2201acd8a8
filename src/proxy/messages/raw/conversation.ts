import { headerValues, secretsOf } from '../../../http/fields.js';
import { isOperation } from '../../../spec/operation.js';
import { nothingToJudge, type Source, unreadable } from '../source.js';
import {
  type JudgeableMessage,
  type MessageKind,
  type StoredMessage,
  shownUrl,
  storedMistake,
} from '../stored-message.js';
import { type RawBody, readBody } from './body.js';
import { type Head, nextMessage, type RequestLine, readHead, type StartLine, startLineAt } from './head.js';

interface RawMessage {
  readonly head: Head;
  readonly stored: RawBody;
}

/**
 * Reads the messages of one kind in a text with one message or several: what `curl -i` saves, what HTTPie prints, a stream
 * that Wireshark follows. If it contains several requests, those that are no creation are left out, with their
 * responses. A single message is always judged.
 *
 * @param take is given each message
 * @returns the secrets in them
 * @throws ToolkitError `invalid-message` if any part of it cannot be read, `no-message` if there is none of that kind
 */
export function readRaw(source: Source, kind: MessageKind, take: (message: StoredMessage) => void): string[] {
  // First all start lines: which messages belong together depends on what follows.
  const starts: StartLine[] = [];
  const secrets = new Set<string>();
  for (const { head } of conversationIn(source)) {
    starts.push(head.start);
    // A head is read as Latin-1. The same bytes in a body are UTF-8.
    for (const secret of secretsOf(head.fields))
      secrets.add(secret).add(Buffer.from(secret, 'latin1').toString());
  }
  if (starts.every((start) => start.kind !== kind))
    throw nothingToJudge(
      source,
      kind === 'request' ? 'contains no request, only responses' : 'contains no response, only requests',
    );
  const requests = starts.filter((start) => start.kind === 'request');
  const isMixed = requests.length > 1 && !requests.every(isCreation);
  const pairs = matchInOrder(starts);
  const mistakes = new Map<StartLine | undefined, StoredMessage['mistake']>();
  let [index, keepsTokens] = [0, false];
  for (const message of conversationIn(source)) {
    const start = starts[index++] as StartLine;
    if (start.kind === kind)
      take({
        ...storedMessage(message, source),
        ...(isMixed && unjudged(start, pairs)),
        mistake: mistakes.get(pairs.get(start)),
      });
    if (start.kind === 'response') continue;
    const { head, stored } = message;
    const mistake = storedMistake({ headers: head.fields, body: stored.body }, stored.missing, keepsTokens);
    if (mistake !== undefined && isCreation(start)) mistakes.set(start, mistake);
    keepsTokens ||= headerValues(head.fields, 'authorization').length > 0;
  }
  return [...secrets];
}

const TUNNEL = 'the 200 without a body before it is read as the response of a proxy to CONNECT';

/** Reads one message after the other: all at once would take 20 times the memory of their text. */
function* conversationIn(source: Source): Iterable<RawMessage> {
  // The requests in a row before a response.
  let asked = { any: false, head: false };
  let last: StartLine | undefined;
  let interim: Head | undefined;
  let notes: readonly string[] = [];
  let at = nextMessage(source, source.start) ?? source.start;
  do {
    const head = readHead(source, at);
    const isTunnel = !asked.any && opensTunnel(source, head);
    if (isTunnel || isInterim(head.start)) {
      interim = head;
      if (isTunnel) notes = [TUNNEL];
      at = nextMessage(source, head.to) ?? head.to;
      continue;
    }
    interim = undefined;
    if (head.start.kind === 'request') {
      const isFirst = last?.kind !== 'request';
      asked = { any: true, head: head.start.method === 'HEAD' || (asked.head && !isFirst) };
    }
    const stored = readBody(source, head, asked.head);
    yield { head, stored: { ...stored, notes: [...notes, ...stored.notes] } };
    last = head.start;
    notes = [];
    at = nextMessage(source, stored.to) ?? stored.to;
  } while (at < source.bytes.length);
  if (interim !== undefined)
    throw unreadable(source, interim.from, 'no final response follows the interim response');
}

/** A 1xx (RFC 9110, section 15.2), or what a proxy sends to curl before the response. */
function isInterim(start: StartLine): boolean {
  if (start.kind === 'request') return false;
  return start.status < 200 || (start.status === 200 && /^connection established$/i.test(start.reason));
}

const OF_A_BODY = ['content-type', 'content-length', 'content-encoding', 'transfer-encoding'];

/** Proxies respond to CONNECT in many ways. In each, no field describes a body, and another response follows. */
function opensTunnel(source: Source, { start, fields, to }: Head): boolean {
  return (
    start.kind === 'response' &&
    start.status === 200 &&
    startLineAt(source, to)?.kind === 'response' &&
    OF_A_BODY.every((name) => headerValues(fields, name).length === 0)
  );
}

function storedMessage({ head, stored }: RawMessage, source: Source): StoredMessage {
  const { start, fields: headers, from } = head;
  const { body, missing, notes } = stored;
  const place = { line: source.lineOf(from), byte: from };
  if (start.kind === 'request') {
    const { method, target, version } = start;
    const message: JudgeableMessage = { kind: 'request', method, url: target, headers, body };
    return { title: `${method} ${shownUrl(target)} ${version}`, place, message, missing, notes };
  }
  const { version, status, reason } = start;
  const message: JudgeableMessage = { kind: 'response', status, headers, body };
  return { title: `${version} ${status} ${reason}`.trimEnd(), place, message, missing, notes };
}

/** Requests in a row, and the responses in a row after them. */
interface Turn {
  readonly requests: RequestLine[];
  readonly responses: StartLine[];
}

/**
 * Matches responses with requests in order (RFC 9112, section 9.3.2). A pair is certain if as many responses follow as
 * there are requests, and if no earlier request is without a response. Responses without a certain request have none
 * here.
 */
function matchInOrder(starts: readonly StartLine[]): ReadonlyMap<StartLine, RequestLine> {
  const pairs = new Map<StartLine, RequestLine>();
  for (const { requests, responses } of turnsOf(starts)) {
    if (requests.length === responses.length)
      for (const [at, response] of responses.entries()) pairs.set(response, requests[at] as RequestLine);
    if (requests.length > responses.length) break;
  }
  return pairs;
}

function turnsOf(starts: readonly StartLine[]): Turn[] {
  const turns: Turn[] = [];
  for (const start of starts) {
    const last = turns.at(-1);
    if (start.kind === 'response' && last !== undefined) last.responses.push(start);
    else if (start.kind === 'response') turns.push({ requests: [], responses: [start] });
    else if (last !== undefined && last.responses.length === 0) last.requests.push(start);
    else turns.push({ requests: [start], responses: [] });
  }
  return turns;
}

const UNPAIRED = 'it is not certain which request it belongs to; save each exchange in a file of its own';
const ONE_OPERATION = 'the interface has only POST …/plants';

/** Why one of several messages is not judged. */
function unjudged(
  start: StartLine,
  pairs: ReadonlyMap<StartLine, RequestLine>,
): Pick<StoredMessage, 'leftOut' | 'unclear'> {
  const request = start.kind === 'request' ? start : pairs.get(start);
  if (request === undefined) return { unclear: UNPAIRED };
  if (isCreation(request)) return {};
  if (start === request) return { leftOut: ONE_OPERATION };
  const title = `${request.method} ${shownUrl(request.target)}`;
  return { leftOut: `it is the response to ${title}, and ${ONE_OPERATION}` };
}

function isCreation({ method, target }: RequestLine): boolean {
  return isOperation(method, target);
}
