// @ts-check
import { httpBytes } from '../inputs/http-messages.mjs';
import { nodeReads } from '../node-http.mjs';
import { must } from '../run.mjs';

/**
 * The reader of responses in the usual form, which `check --explore` uses. What it accepts, Node's parser accepts in strict
 * mode, with the same status, reason, fields and body; and it does not wait for more of what is whole.
 *
 * @type {import('../run.mjs').Reader}
 */
export const response = {
  title: 'HTTP responses',
  async prepare(load) {
    const { readResponse } = await load('conformance/session/fast-connection.js');
    return {
      input: (random) => httpBytes(random, ['response']),
      check(/** @type {Buffer} */ bytes) {
        const read = readResponse(bytes);
        const { messages, error } = nodeReads(bytes, 'response', false);
        const [first] = messages;
        if (typeof read === 'string') {
          const isWhole = first?.complete === true && messages.length === 1 && error === undefined;
          must(read !== 'incomplete' || !isWhole, () => 'waits for more of a whole response');
          return 'rejected';
        }
        const { status, reason, headers, body } = read.response;
        must(first !== undefined && error === undefined, () => `accepts what Node rejects: ${error}`);
        must(
          messages.length === 1 && first.complete,
          () => 'accepts what Node reads as more or less than one',
        );
        must(
          first.status === status && first.reason === reason,
          () => `${first.status} ${first.reason} for Node`,
        );
        must(
          first.headers.join('\n') === headers.flat().join('\n'),
          () => `fields for Node: ${first.headers}`,
        );
        must(first.body.equals(body), () => `body for Node: ${first.body.toString('latin1')}`);
        return 'accepted';
      },
    };
  },
};
