import type { Provider } from '../../conformance/providers/provider.js';
import { startReader } from '../../pact/verification/provider.js';
import type { Spelling } from './spellings.js';

/**
 * A provider that sends the token back, in the next spelling with each response: in a header, in a field of a plant, or
 * as the message of an error. Every third error is no JSON.
 *
 * @param spellings all that it uses, in turn
 */
export function startEcho(token: string, spellings: readonly Spelling[]): Promise<Provider> {
  let count = 0;
  return startReader((request, response, body) => {
    const { text } = spellings[count++ % spellings.length] as Spelling;
    response.setHeader('x-echo', text.replaceAll(/[\r\n]/g, ' '));
    // `text` may be escaped as in JSON already, as some servers put it together.
    const json = text.startsWith('"') ? text : `"${text.replace(/(?<!\\)"/g, '\\"')}"`;
    const plant = request.headers.authorization === `Bearer ${token}` ? plantIn(body.toString()) : undefined;
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
}

function plantIn(body: string): string | undefined {
  try {
    const { name, id, tag = '' } = JSON.parse(body);
    return typeof name === 'string' && typeof id === 'number' && typeof tag === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
