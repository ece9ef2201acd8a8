import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../../src/http/address.js';
import type { Spelling } from './spellings.js';

/**
 * A provider that sends the token back, in the next spelling with each response: in a header, in a field of a plant, or
 * as the message of an error. Every third error is no JSON.
 *
 * @param spellings all that it uses, in turn
 */
export async function startEcho(token: string, spellings: readonly Spelling[]) {
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await buffer(request).then(String);
    const { text } = spellings[count++ % spellings.length] as Spelling;
    response.setHeader('x-echo', text.replaceAll(/[\r\n]/g, ' '));
    // `text` may be escaped as in JSON already, as some servers put it together.
    const json = text.startsWith('"') ? text : `"${text.replace(/(?<!\\)"/g, '\\"')}"`;
    const plant = request.headers.authorization === `Bearer ${token}` ? plantIn(body) : undefined;
    if (plant !== undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(`{"name":${JSON.stringify(plant)},"seen":${json}}`);
    } else if (count % 3 === 0) {
      response.writeHead(500).end(`no such token: ${text}`);
    } else {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(`{"error":1,"message":${json}}`);
    }
  });
  const { url } = await listen(server, '127.0.0.1', 0);
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function plantIn(body: string): string | undefined {
  try {
    const { name, id, tag = '' } = JSON.parse(body);
    return typeof name === 'string' && typeof id === 'number' && typeof tag === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
