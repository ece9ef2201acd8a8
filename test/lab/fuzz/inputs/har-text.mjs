// @ts-check
import { mutated } from '../../torture/mutate.mjs';
import { edited, jsonText } from './json-text.mjs';
import { one, some, sometimes } from './pick.mjs';

/** @typedef {import('../run.mjs').Random} Random */

const HEADERS = [
  '{"name":"Authorization","value":"Bearer secret"}',
  '{"name":"Content-Type","value":"application/json"}',
  '{"name":"content-type","value":"text/plain; charset=utf-16"}',
  '{"name":"Content-Length","value":"15"}',
  '{"name":"Content-Encoding","value":"gzip"}',
  '{"name":"Transfer-Encoding","value":"chunked"}',
  '{"name":"Set-Cookie","value":"a=b\\nc=d"}',
  '{"name":"A","value":null}',
  '{"name":7}',
  'null',
];
const URLS = [
  '"http://store/plants"',
  '"http://store/plants"',
  '"http://store/v1/plants?a=b"',
  '"http://store/"',
  '"::"',
  'null',
  '7',
];
const METHODS = ['"POST"', '"POST"', '"POST"', '"GET"', '"post"', 'null'];
const STATUSES = ['200', '200', '400', '0', '-1', '"200"', '204', '1e2', 'null'];
const POSTED = [
  '{"mimeType":"application/json","text":"{\\"name\\":\\"Aloe\\",\\"id\\":7}"}',
  '{"mimeType":"application/json","text":""}',
  '{"params":[{"name":"a","value":"b"}]}',
  '{"text":"e30=","encoding":"base64"}',
  '{"mimeType":"application/json","text":"","params":[],"_file":"none.json"}',
  'null',
  '{}',
  '[]',
];
const CONTENTS = [
  '{"size":15,"mimeType":"application/json","text":"{\\"name\\":\\"Aloe\\"}"}',
  '{"size":15,"text":"eyJuYW1lIjoiQWxvZSJ9","encoding":"base64"}',
  '{"size":900,"text":"eyJuYW1lIjoiQWxvZSJ9","encoding":"base64"}',
  '{"text":"H4sIAAAAAAAAA6tWykvMTVWyUnLMyU9VqgUAHnPHsw8AAAA=","encoding":"base64"}',
  '{"size":0}',
  '{"size":-1,"text":"!","encoding":"base64"}',
  '{"size":15,"_file":"none.json"}',
  '{"size":15,"_file":"../package.json"}',
  '{"encoding":"rot13","text":"a"}',
  'null',
];
/** What could be taken for the beginning or the end of the entries. */
const DECOYS = [
  '"log":{"entries":[1]}',
  '"entries":[]',
  '"entries":{}',
  '"a":"\\"log\\":{\\"entries\\":["',
  '"a":"]}"',
  '"a":["log","entries"]',
  '"l\\u006fg":{}',
  '"l\\u006fg":{"entries":[2]}',
  '"entri\\u0065s":[3]',
  '"a":{"log":{"entries":[4]}}',
  '"a":[[[{"entries":[]}]]]',
  '"a":"\\\\"',
  '"log":null',
  '"log"',
  '"entries"',
  '{"entries":[]}',
];
const SPACES = ['', '', '', '', ' ', '\n\t', '\r\n'];

/**
 * The bytes of a HAR. Some members occur twice or in odd places, and some bytes may be damaged.
 *
 * @param {Random} random
 * @returns {Buffer}
 */
export function harBytes(random) {
  const space = () => one(SPACES, random);
  const object = (/** @type {string[]} */ members) =>
    `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
  const array = (/** @type {string[]} */ elements) => `[${space()}${elements.join(`${space()},`)}${space()}]`;
  const member = (/** @type {string} */ name, /** @type {string} */ value) =>
    `"${name}"${space()}:${space()}${value}`;
  const headers = () =>
    member(
      'headers',
      sometimes(
        0.03,
        random,
        () => array(some(3, random, () => one(HEADERS, random))),
        () => 'null',
      ),
    );
  const request = () => {
    const size = member('bodySize', one(['-1', '0', '22', '"a"'], random));
    const posted = member('postData', one(POSTED, random));
    return object([
      member('method', one(METHODS, random)),
      member('url', one(URLS, random)),
      headers(),
      posted,
      size,
    ]);
  };
  const response = () =>
    object([member('status', one(STATUSES, random)), headers(), member('content', one(CONTENTS, random))]);
  const entry = () =>
    sometimes(
      0.1,
      random,
      () =>
        object([
          member('time', '12.345678901234567'),
          member('request', request()),
          member('response', response()),
        ]),
      () => jsonText(random, 0.03),
    );
  const decoys = () =>
    random() < 0.3 ? some(2, random, () => one(DECOYS.slice(0, random() < 0.8 ? 13 : 16), random)) : [];
  const creator = member('creator', one(['{"name":"WebInspector"}', '{"name":"a"}', '7'], random));
  const entries = member('entries', array(some(3, random, entry)));
  const log = object([...decoys(), member('version', '"1.2"'), creator, entries, ...decoys()]);
  const text = `${random() < 0.05 ? '\ufeff' : ''}${space()}${object([...decoys(), member('log', log), ...decoys()])}${space()}`;
  const change = random();
  if (change < 0.5) return Buffer.from(text);
  if (change < 0.75) return Buffer.from(edited(text, random));
  return mutated(text, random);
}
