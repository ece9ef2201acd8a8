import { secretsOf } from '../../header-fields.js';
import { isCreation, shownUrl } from '../creation.js';
import { nothingToJudge, type Source, unreadable } from '../source.js';
import type { JudgeableMessage, MessageKind, StoredMessage, StoredMessages } from '../stored-message.js';
import { nextMessage, readBody, type StoredBody } from './framing.js';
import { type Head, readHead, type StartLine } from './head.js';

type RequestLine = Extract<StartLine, { kind: 'request' }>;

/** A message, and of a response the request that it answers, where that stands before it. */
interface RawMessage {
  readonly head: Head;
  readonly stored: StoredBody;
  readonly request: RequestLine | undefined;
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
  const requests = all.filter(({ head }) => head.start.kind === 'request').length;
  const wanted = all.filter(({ head }) => head.start.kind === kind);
  if (wanted.length === 0)
    throw nothingToJudge(
      source,
      kind === 'request' ? 'holds no request, only what answers one' : 'holds no response, only a request',
    );
  return {
    messages: wanted.map((message) => storedMessage(message, source, requests > 1)),
    secrets: all.flatMap(({ head }) => secretsOf(head.fields)),
  };
}

function readConversation(source: Source): RawMessage[] {
  const messages: RawMessage[] = [];
  const unanswered: RequestLine[] = [];
  let interim: Head | undefined;
  let at = nextMessage(source, source.start) ?? source.start;
  do {
    const head = readHead(source, at);
    if (isInterim(head.start)) {
      interim = head;
      at = nextMessage(source, head.to) ?? head.to;
      continue;
    }
    interim = undefined;
    const request = head.start.kind === 'request' ? head.start : unanswered.shift();
    if (head.start.kind === 'request') unanswered.push(head.start);
    const stored = readBody(source, head, request?.method);
    messages.push({ head, stored, request });
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

function storedMessage(
  { head, stored, request }: RawMessage,
  source: Source,
  several: boolean,
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
  const place = { line: source.lineOf(from), byte: from };
  const isMeant = !several || request === undefined || isCreation(request.method, request.target);
  return {
    ...{ title, place, message, losses, notes },
    ...(!isMeant && { leftOut: elsewhere(start, request) }),
  };
}

function elsewhere({ kind }: StartLine, { method, target }: RequestLine): string {
  if (kind === 'request') return 'the interface has POST …/plants only';
  return `it answers ${method} ${shownUrl(target)}, and the interface has POST …/plants only`;
}
