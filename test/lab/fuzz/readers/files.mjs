// @ts-check
import { readFileSync } from 'node:fs';
import { mutated, one } from '../inputs/mutate.mjs';
import { sentenceOf } from '../run.mjs';

const PACT = new URL('../../../../pacts/plant-store-client-plant-store.json', import.meta.url);
const PLANT = '{"name":"Aloe","id":7}';
const RESPONSE = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"name":"Aloe"}`;
const HAR = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      {
        request: {
          method: 'POST',
          url: 'http://store/plants',
          httpVersion: 'HTTP/1.1',
          headers: [{ name: 'Authorization', value: 'Bearer secret' }],
          postData: { mimeType: 'application/json', text: PLANT },
        },
        response: {
          status: 200,
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          content: { mimeType: 'application/json', encoding: 'base64', text: 'eyJuYW1lIjoiQWxvZSJ9' },
        },
      },
    ],
  },
});

/**
 * The files that commands read, damaged. Each gives a report, or one sentence.
 *
 * @type {import('../run.mjs').Reader}
 */
export const files = {
  title: 'damaged files',
  async prepare(load) {
    const { judgeMessages } = await load('proxy/messages/judge.js');
    const { auditPact } = await load('pact/index.js');
    const { readPact } = await load('pact/pacts.js');
    const { checkConformance } = await load('conformance/index.js');
    const { jsonIn } = await load('cli/command.js');
    const { prepareCheck } = await load('conformance/prepare.js');
    const baseUrl = 'http://localhost';
    const { createPlantStore, readProfile } = await load('server/index.js');
    const { fetch } = createPlantStore({ token: 'secret', faults: ['leaks-id'] });
    const { profile, exploration } = await checkConformance({
      baseUrl,
      token: 'secret',
      fetch,
      prism: false,
      explore: { runs: 30, seed: 1 },
    });
    const judge = (/** @type {object} */ options) => (/** @type {Buffer} */ bytes) =>
      judgeMessages(bytes, { file: 'damaged', ...options });
    const pact = readFileSync(PACT, 'utf8');
    /** @type {readonly { text: string, read: (bytes: Buffer) => unknown }[]} */
    const readers = [
      { text: HAR, read: judge({ kind: 'response' }) },
      { text: HAR, read: judge({ kind: 'request' }) },
      { text: RESPONSE, read: judge({ kind: 'response' }) },
      { text: PLANT, read: judge({ kind: 'request', as: 'new-plant' }) },
      { text: pact, read: (bytes) => auditPact(bytes.toString()) },
      { text: pact, read: (bytes) => readPact(bytes.toString(), 'damaged') },
      { text: JSON.stringify(profile), read: (bytes) => readProfile(bytes.toString(), 'damaged') },
      {
        text: JSON.stringify(exploration.failures[0].row),
        read: (bytes) => prepareCheck({ baseUrl, row: jsonIn(bytes.toString(), '--row') }),
      },
    ];
    return {
      input(random) {
        const { text, read } = one(readers, random);
        return { bytes: mutated(text, random), read };
      },
      async check({ bytes, read }) {
        try {
          await read(bytes);
          return 'accepted';
        } catch (cause) {
          sentenceOf(cause);
          return 'rejected';
        }
      },
    };
  },
};
