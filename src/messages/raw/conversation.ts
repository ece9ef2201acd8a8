import { secretsOf } from '../../header-fields.js';
import { headerValues } from '../../validation/message.js';
import { isCreation, shownUrl } from '../creation.js';
import { nothingToJudge, type Source, unreadable } from '../source.js';
import type { JudgeableMessage, MessageKind, StoredMessage, StoredMessages } from '../stored-message.js';
import { readBody, type StoredBody } from './framing.js';
import { type Head, type RequestLine, readHead, type StartLine, startLineAt } from './head.js';
import { nextMessage } from './next-message.js';
import { type Pairing, pairings } from './pairing.js';

interface RawMessage {
  readonly head: Head;
  readonly stored: StoredBody;
}

/**
 * The messages of one kind in a text that holds one message or several, in any order: what `curl -i` saves, what
 * HTTPie prints, a stream that Wireshark follows. Where several requests are in it, those that are no creation are
 * left out with what answers them; a single message is judged whatever it is.
 *
 * @throws ToolkitError `invalid-message` where any of it cannot be read, `no-message` where none is of that kind
 */
export function rawMessages(source: Source, kind: MessageKind): StoredMessages {
  const all = readConversation(source);
  const starts = all.map(({ head }) => head.start);
  const wanted = all.filter(({ head }) => head.start.kind === kind);
  if (wanted.length === 0)
    throw nothingToJudge(
      source,
      kind === 'request' ? 'holds no request, only what answers one' : 'holds no response, only a request',
    );
  const requests = starts.filter((start) => start.kind === 'request');
  const pairs = pairings(starts);
  return {
    messages: wanted.map((message) => ({
      ...storedMessage(message, source, pairs.get(message.head.start)),
      ...(requests.length > 1 && unjudged(message.head.start, requests, pairs)),
    })),
    secrets: all.flatMap(({ head }) => secretsOf(head.fields)).flatMap(asRead),
  };
}

/** A head is read as Latin-1; the same bytes in a body are UTF-8. */
function asRead(secret: string): string[] {
  return [secret, Buffer.from(secret, 'latin1').toString()];
}

const TUNNEL = 'a 200 without a body stands before it, and is taken for the answer of a proxy to CONNECT';

function readConversation(source: Source): RawMessage[] {
  const messages: RawMessage[] = [];
  // Of the requests that stand before a response, one behind the other.
  let asked = { any: false, head: false };
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
      const isFirst = messages.at(-1)?.head.start.kind !== 'request';
      asked = { any: true, head: head.start.method === 'HEAD' || (asked.head && !isFirst) };
    }
    const stored = readBody(source, head, asked.head);
    messages.push({ head, stored: { ...stored, notes: [...notes, ...stored.notes] } });
    notes = [];
    at = nextMessage(source, stored.to) ?? stored.to;
  } while (at < source.bytes.length);
  if (interim !== undefined)
    throw unreadable(source, interim.from, 'an interim response is all there is, and no final one follows');
  return messages;
}

/** What stands before the response proper: a 1xx (RFC 9110, section 15.2), and what a proxy says to curl. */
function isInterim(start: StartLine): boolean {
  if (start.kind === 'request') return false;
  return start.status < 200 || (start.status === 200 && /^connection established$/i.test(start.reason));
}

const OF_A_BODY = ['content-type', 'content-length', 'content-encoding', 'transfer-encoding'];

/** Proxies answer CONNECT in many words; that no field is about a body, and another response follows, is common to all. */
function opensTunnel(source: Source, { start, fields, to }: Head): boolean {
  return (
    start.kind === 'response' &&
    start.status === 200 &&
    startLineAt(source, to)?.kind === 'response' &&
    OF_A_BODY.every((name) => headerValues(fields, name).length === 0)
  );
}

function storedMessage(
  { head, stored }: RawMessage,
  source: Source,
  pairing: Pairing | undefined,
): StoredMessage {
  const { start, fields: headers, from } = head;
  const { body, losses, notes } = stored;
  const message: JudgeableMessage =
    start.kind === 'request'
      ? { kind: 'request', method: start.method, url: start.target, headers, body }
      : { kind: 'response', status: start.status, headers, body };
  const title =
    start.kind === 'request'
      ? `${start.method} ${shownUrl(start.target)} ${start.version}`
      : `${start.version} ${start.status} ${start.reason}`.trimEnd();
  return {
    ...{ title, message, losses },
    place: { line: source.lineOf(from), byte: from },
    notes: pairing?.note === undefined ? notes : [...notes, pairing.note],
  };
}

const UNPAIRED = 'which request it answers is not certain, and not all of them are a POST …/plants';

/** Why one of several messages is not judged. What cannot be told apart is not left out: it may be what is wrong. */
function unjudged(
  start: StartLine,
  all: readonly RequestLine[],
  pairs: ReadonlyMap<StartLine, Pairing>,
): Pick<StoredMessage, 'leftOut' | 'unclear'> {
  if (start.kind === 'request')
    return isOfInterface(start) ? {} : { leftOut: 'the interface has POST …/plants only' };
  const known = pairs.get(start)?.requests ?? [];
  const [first] = known;
  const possible = first === undefined ? all : known;
  const creations = countOfCreations(possible);
  if (creations === possible.length) return {};
  if (first === undefined || creations > 0) return { unclear: UNPAIRED };
  return {
    leftOut: `it answers ${first.method} ${shownUrl(first.target)}, and the interface has POST …/plants only`,
  };
}

/** Thousands of responses may share the requests that they can answer. */
const counted = new WeakMap<readonly RequestLine[], number>();

function countOfCreations(requests: readonly RequestLine[]): number {
  const count = counted.get(requests) ?? requests.filter(isOfInterface).length;
  counted.set(requests, count);
  return count;
}

function isOfInterface({ method, target }: RequestLine): boolean {
  return isCreation(method, target);
}
