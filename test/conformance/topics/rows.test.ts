import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../../src/conformance/rule.js';
import { topics } from '../../../src/conformance/topics/index.js';
import { rejections } from '../../../src/conformance/topics/rejections.js';
import { checkSendable, headerNames } from '../../../src/http/fields.js';
import { bodiesOf, misjudged, requestsOf, serverWith, textOf } from './drawn.js';

const rows = topics.flatMap(rowsOf);

describe('the rows of the topics', () => {
  test('get what they expect from the reference server', async () => {
    for (const row of rows) expect(await misjudged([row]), row.name).toBeUndefined();
  });

  test('send fields as they are, each once, and none that frame the message', () => {
    const requests = rows.filter(({ name }) => name !== 'two-authorizations').flatMap(requestsOf);
    for (const { headers, transfer } of requests) {
      const names = headerNames(headers).map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
      expect(names.includes('expect')).toBe(transfer?.awaitContinue === true);
      const framing = /^(content-length|transfer-encoding|connection|host|te)$/;
      expect(names.filter((name) => framing.test(name))).toEqual([]);
      for (const [name, value] of headers) checkSendable(name, value);
    }
  });
});

describe('long and hostile values', () => {
  test.each(rowsOf(rejections))('$name is rejected for the mistake that it is about', async (row) => {
    const [request] = requestsOf(row);
    if (request === undefined) throw new Error(row.name);
    // A provider may close the connection before it has read more.
    expect(request.body.length).toBeLessThan(2 ** 16);
    const { text } = await serverWith()(request);
    const [rule = ''] = row.rules ?? [];
    const word = { 'request/body-is-json': 'JSON', 'auth/wrong-token-is-refused': 'token' }[rule];
    expect(JSON.parse(text).message).toContain(word ?? /(name|id|tag)/.exec(rule)?.[0]);
  });

  test('have names that are cut inside a character after 2^k bytes', () => {
    const names = rowsOf(rejections)
      .filter(({ name }) => name.endsWith('long-name'))
      .flatMap(bodiesOf);
    expect(names).toHaveLength(2);
    for (const body of names) {
      const name = Buffer.from(JSON.parse(body).name);
      for (let bytes = 16; bytes < name.length; bytes *= 2)
        expect(textOf({ headers: [], body: name.subarray(0, bytes) }), `${bytes}`).toContain('\ufffd');
    }
  });
});
