// @ts-check
import { isUtf8 } from 'node:buffer';
import { harBytes } from '../inputs/har-text.mjs';
import { must, sentenceOf } from '../run.mjs';
import { isSame, levelsIn } from './json.mjs';

const MOST_LEVELS = 500;
const MARK = '\ufeff';

/**
 * The reader of HAR, compared with `JSON.parse`; and the judge of its messages, which says in one sentence what it cannot
 * read.
 *
 * @type {import('../run.mjs').Reader}
 */
export const har = {
  title: 'HAR',
  async prepare(load) {
    const { readLog } = await load('proxy/messages/har.js');
    const { judgeMessages } = await load('proxy/messages/judge.js');
    const { readJson } = await load('validation/json.js');
    const { Source } = await load('proxy/messages/source.js');
    /** @param {Buffer} bytes */
    const entriesIn = (bytes) => {
      /** @type {unknown[]} */
      const entries = [];
      readLog(new Source('saved', bytes), (/** @type {any} */ { value }) => entries.push(value));
      return entries;
    };
    const judged = (/** @type {Buffer} */ bytes, /** @type {string} */ kind) => {
      try {
        const { messages } = judgeMessages(bytes, { kind, file: 'saved', format: 'har' });
        must(messages.length > 0, () => 'nothing was judged');
      } catch (cause) {
        must(!sentenceOf(cause).includes('secret'), () => 'the sentence has a token');
      }
    };
    return {
      input: (random) => ({
        kind: random() < 0.5 ? 'request' : 'response',
        isJudged: random() < 0.5,
        bytes: harBytes(random),
      }),
      check({ bytes, kind, isJudged }) {
        const parsed = parsedBy(bytes);
        if (isJudged) judged(bytes, kind);
        /** @type {unknown[]} */
        let entries;
        try {
          entries = entriesIn(bytes);
        } catch (cause) {
          const sentence = sentenceOf(cause);
          if (parsed === undefined || levelsIn(bytes.toString()) > MOST_LEVELS) return 'rejected';
          const isHar = Array.isArray(parsed.value?.log?.entries);
          const { duplicateKeys = [] } = readJson(Buffer.from(textOf(bytes)));
          const isTwice = duplicateKeys.some((/** @type {string} */ key) =>
            /^\/log(?:\/entries)?$/.test(key),
          );
          must(!isHar || (isTwice && sentence.includes('twice')), () => `rejects a HAR: ${sentence}`);
          return 'rejected';
        }
        must(parsed !== undefined, () => 'accepts what JSON.parse rejects');
        const expected = parsed.value?.log?.entries;
        must(isSame(entries, expected), () => `other entries than ${JSON.stringify(expected)}`);
        return 'accepted';
      },
    };
  },
};

/** Without a byte-order mark. @param {Buffer} bytes */
function textOf(bytes) {
  const text = bytes.toString();
  return text.startsWith(MARK) ? text.slice(1) : text;
}

/**
 * @param {Buffer} bytes
 * @returns {{ value: any } | undefined}
 */
function parsedBy(bytes) {
  if (!isUtf8(bytes)) return undefined;
  try {
    return { value: JSON.parse(textOf(bytes)) };
  } catch {
    return undefined;
  }
}
