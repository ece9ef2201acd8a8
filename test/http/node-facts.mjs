// What Node does, without anything of this package, where the forwarder needs something else and relies on a detail that Node
// does not document. If a version of Node does something else, the patch that a fact names must change, or can go.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, ClientRequest, createServer, request } from 'node:http';
import { connect, createServer as createRawServer, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

const EMPTY = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/**
 * Listens while a function runs.
 *
 * @param {import('node:net').Server} server
 * @param {(port: number) => Promise<void>} run
 */
async function listening(server, run) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  try {
    await run(address.port);
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

/** @param {number} port @returns {Socket & AsyncIterable<string>} */
function client(port) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  return socket.setEncoding('latin1').on('error', () => {});
}

/**
 * The head that a request sends, up to the empty line, and what follows it.
 *
 * @param {(port: number) => ClientRequest} begin
 */
async function sentBy(begin) {
  let sent = '';
  const server = createRawServer({ allowHalfOpen: true }, (socket) => {
    socket.setEncoding('latin1').on('data', (part) => {
      sent += part;
      if (sent.includes('\r\n\r\n')) socket.end(EMPTY);
    });
  });
  await listening(server, async (port) => {
    const outgoing = begin(port).on('error', () => {});
    const [response] = await once(outgoing, 'response');
    response.resume();
    await once(outgoing, 'close');
  });
  return sent;
}

/** @type {readonly { readonly what: string, readonly patch: string, check(): Promise<void> }[]} */
export const NODE_FACTS = [
  {
    what: 'sends an empty chunk with a POST that has no body, unless it may not use chunks while it is constructed',
    patch: 'src/http/route.ts WithoutBody',
    async check() {
      /** @param {typeof ClientRequest} Request */
      const headOf = (Request) =>
        sentBy((port) => {
          const options = {
            host: '127.0.0.1',
            port,
            method: 'PATCH',
            headers: ['Host', 'a'],
            agent: new Agent(),
          };
          const outgoing = new Request(/** @type {any} */ (options));
          outgoing.end();
          return outgoing;
        });
      class WithoutBody extends ClientRequest {}
      Object.defineProperty(WithoutBody.prototype, 'useChunkedEncodingByDefault', {
        get: () => false,
        set() {},
      });
      assert.match(await headOf(ClientRequest), /\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n$/);
      assert.doesNotMatch(await headOf(WithoutBody), /Transfer-Encoding|Content-Length/);
    },
  },
  {
    what: 'drops fields of a head beyond maxHeadersCount and says nothing; since 22.23 it rejects such a head',
    patch: 'src/http/framing.ts MOST_FIELDS',
    async check() {
      let count = 0;
      const server = createServer(({ rawHeaders }, outgoing) => {
        count = rawHeaders.length / 2;
        outgoing.end();
      });
      server.maxHeadersCount = 40;
      await listening(server, async (port) => {
        const socket = client(port);
        socket.write(GET.replace('\r\n\r\n', `\r\nConnection: close${'\r\nX: 1'.repeat(200)}\r\n\r\n`));
        assert.match(await text(socket), /^HTTP\/1\.1 (?:200|431) /);
      });
      assert(count < 200, `${count} fields came`);
    },
  },
  {
    what: 'writes a head in UTF-8 with flushHeaders, and in Latin-1 before bytes of a body',
    patch: 'src/http/forwarder.ts NO_BYTES',
    async check() {
      /** @param {(outgoing: ClientRequest) => void} flush */
      const sent = (flush) =>
        sentBy((port) => {
          const headers = { 'X-A': '\xe4', 'Content-Length': 0 };
          const outgoing = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false });
          flush(outgoing);
          setImmediate(() => outgoing.end());
          return outgoing;
        });
      assert.match(await sent((outgoing) => outgoing.flushHeaders()), /X-A: \xc3\xa4\r\n/);
      assert.match(await sent((outgoing) => void outgoing.write(new Uint8Array(0))), /X-A: \xe4\r\n/);
    },
  },
];
