// @ts-check
import { headerNames, httpBytes } from '../inputs/http-messages.mjs';
import { one, sometimes } from '../inputs/pick.mjs';
import { nodeReads } from '../node-http.mjs';
import { must, sentenceOf } from '../run.mjs';

const FRAMING = /^(?:content-length|transfer-encoding|content-encoding|connection|upgrade)$/i;

/**
 * The reader of saved messages. Every message that Node's parser reads in strict mode, it reads with the same bytes. It reads
 * more, because tools save messages in other ways; but each message that it reads is one for Node too, once it is framed again.
 *
 * @type {import('../run.mjs').Reader}
 */
export const http = {
  title: 'saved HTTP messages',
  async prepare(load) {
    const { readMessages } = await load('proxy/messages/read.js');
    const { judgeMessages } = await load('proxy/messages/judge.js');
    const { Source } = await load('proxy/messages/source.js');
    const judged = (/** @type {Buffer} */ bytes, /** @type {object} */ how) => {
      try {
        judgeMessages(bytes, { ...how, file: 'saved' });
      } catch (cause) {
        sentenceOf(cause);
      }
    };
    return {
      input(random) {
        const kind = /** @type {const} */ (['request', 'response'])[random() < 0.5 ? 0 : 1];
        const kinds = sometimes(
          0.2,
          random,
          () => [kind],
          () => /** @type {const} */ (['request', 'response']),
        );
        const format = one([undefined, 'raw'], random);
        return {
          kind,
          isOneKind: kinds.length === 1,
          format,
          isJudged: random() < 0.2,
          bytes: httpBytes(random, kinds),
        };
      },
      check({ bytes, kind, isOneKind, format, isJudged }) {
        /** @type {any[]} */
        const found = [];
        const take = (/** @type {any} */ message) => found.push(message);
        try {
          readMessages(new Source('saved', bytes), { kind, format: 'raw', file: 'saved' }, take);
        } catch (cause) {
          const sentence = sentenceOf(cause);
          if (isOneKind) mustBeOurs(bytes, kind, sentence);
          return 'rejected';
        }
        must(found.length > 0, () => 'no message');
        if (isJudged) judged(bytes, { kind, format });
        for (const message of found) mustBeReadable(message, kind);
        if (isOneKind) mustAgree(bytes, kind, found);
        return 'accepted';
      },
    };
  },
};

/**
 * What Node accepts, but RFC 9112, sections 2.2 and 3, does not: several spaces in a request line, a target that begins with an
 * asterisk, and a bare CR. And a value before a tab, which Node does not understand if it is about framing.
 */
const LOOSE = /^\S+ {2}| {2}HTTP\/| \*[^ ]|\r(?!\n)|\t\r?$/m;

/**
 * What a strict parser reads, and nobody reads in another way.
 *
 * @param {Buffer} bytes
 * @param {'request' | 'response'} kind
 */
function strictly(bytes, kind) {
  if (LOOSE.test(bytes.toString('latin1'))) return undefined;
  const { messages, error } = nodeReads(bytes, kind);
  const isSure =
    error === undefined &&
    messages.length > 0 &&
    messages.every(
      ({ complete, method, version, status = 200, reason = '', headers }) =>
        complete &&
        method !== 'CONNECT' &&
        /^1\.[01]$/.test(version) &&
        status >= 200 &&
        !CONTROL.test(reason) &&
        isPlain(headers),
    );
  return isSure ? messages : undefined;
}

// Node accepts them in a reason phrase. RFC 9112, section 4, does not.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

/** Whether fields say where the body ends, and tools have no habits about them. @param {string[]} headers */
function isPlain(headers) {
  const names = headerNames(headers);
  const coding = headers[names.indexOf('transfer-encoding') * 2 + 1] ?? 'chunked';
  if (names.includes('transfer-encoding') && coding.toLowerCase() !== 'chunked') return false;
  return (
    names.filter((name) => name === 'content-length' || name === 'transfer-encoding').length === 1 &&
    !names.some((name) => /^(?:content-encoding|expect|upgrade|trailer)$/.test(name))
  );
}

/**
 * A rejected text is not one that a strict parser reads.
 *
 * @param {Buffer} bytes
 * @param {'request' | 'response'} kind
 * @param {string} sentence
 */
function mustBeOurs(bytes, kind, sentence) {
  const messages = strictly(bytes, kind);
  must(messages === undefined, () => `rejects what Node reads: ${sentence}`);
}

/**
 * A message that was read has nothing in it that is no HTTP.
 *
 * @param {any} stored
 * @param {'request' | 'response'} kind
 */
function mustBeReadable({ title, message: { status, method, url, headers, body = Buffer.alloc(0) } }, kind) {
  must(!CONTROL.test(title), () => `the title ${JSON.stringify(title)}`);
  // Node knows some methods only, and no target beyond ASCII.
  must(kind === 'response' || /^[!#-'*+.^_`|~\w-]+$/.test(method), () => `the method ${method}`);
  must(kind === 'response' || /^[\x21-\x7e\x80-\xff]+$/.test(url), () => `the target ${url}`);
  const start = kind === 'request' ? 'POST / HTTP/1.1' : `HTTP/1.1 ${status} OK`;
  const fields = headers.filter((/** @type {string[]} */ [name = '']) => !FRAMING.test(name));
  const lines = fields.map((/** @type {string[]} */ field) => field.join(': '));
  const hasBody = status === undefined || !(status < 200 || status === 204 || status === 304);
  const sent = hasBody ? Buffer.from(body) : Buffer.alloc(0);
  const head = [start, ...lines, `Content-Length: ${sent.length}`, '', ''].join('\r\n');
  const { messages, error } = nodeReads(Buffer.concat([Buffer.from(head, 'latin1'), sent]), kind);
  const [first] = messages;
  must(
    error === undefined && messages.length === 1 && first !== undefined,
    () => `accepts what Node rejects: ${error} ${head}`,
  );
  must(first.body.equals(sent), () => 'its body cannot be framed');
  const read = first.headers.slice(0, -2).join('\n');
  must(read === fields.flat().join('\n'), () => `fields for Node: ${read}`);
}

/**
 * What a strict parser reads is what was read.
 *
 * @param {Buffer} bytes
 * @param {'request' | 'response'} kind
 * @param {any[]} found
 */
function mustAgree(bytes, kind, found) {
  const messages = strictly(bytes, kind);
  if (messages === undefined) return;
  must(messages.length === found.length, () => `${found.length} messages, ${messages.length} for Node`);
  for (const [at, { body, headers, status, target }] of messages.entries()) {
    const { message } = found[at];
    must(
      Buffer.from(message.body ?? []).equals(body),
      () => `body ${at} for Node: ${body.toString('latin1')}`,
    );
    must(message.headers.flat().join('\n') === headers.join('\n'), () => `fields ${at} for Node: ${headers}`);
    must(
      kind === 'request' ? message.url === target : message.status === status,
      () => `start ${at} for Node`,
    );
  }
}
