// An upstream that reads HTTP strictly: what a lenient server might read in another way is a problem here.
import { createServer } from 'node:net';
import { readRequest } from './strict-http.mjs';

const RESPONSE = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

/**
 * @typedef {import('./strict-http.mjs').ReadRequest} ReadRequest
 * @typedef {object} Recorder
 * @property {string} url
 * @property {ReadRequest[]} requests whole requests, in the order in which they ended
 * @property {string[]} problems what is not strict HTTP
 * @property {() => number} open how many connections are open
 * @property {() => number} incomplete how many connections ended within a request
 * @property {() => Promise<void>} idle resolves when no connection is open
 * @property {() => Promise<void>} close
 */

/**
 * Starts a server that records every request and responds to it.
 *
 * @param {(received: ReadRequest) => string | Promise<string>} respond the bytes of a response, in Latin-1
 * @returns {Promise<Recorder>}
 */
export async function startRecorder(respond = () => RESPONSE) {
  /** @type {ReadRequest[]} */
  const requests = [];
  /** @type {string[]} */
  const problems = [];
  const open = new Set();
  let incomplete = 0;
  /** @type {(() => void)[]} */
  const waiting = [];
  const server = createServer((socket) => {
    open.add(socket);
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (;;) {
        const read = readRequest(rest);
        if (read === undefined) return;
        if (typeof read === 'string') {
          problems.push(`${read}: ${JSON.stringify(rest.slice(0, 200))}`);
          rest = '';
          socket.destroy();
          return;
        }
        rest = rest.slice(read.length);
        requests.push(read.request);
        Promise.resolve(respond(read.request)).then((response) => void socket.write(response, 'latin1'));
      }
    });
    socket.on('close', () => {
      if (rest !== '') incomplete++;
      open.delete(socket);
      if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    problems,
    open: () => open.size,
    incomplete: () => incomplete,
    idle: async () => {
      while (open.size > 0) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
