import { once } from 'node:events';
import { connect } from 'node:net';

// A load generator must cost less than what it measures, and every request needs an id of its own. So requests
// are rendered beforehand and written to plain sockets; a response is recognised by its status line.
const CONNECTIONS = 32;

/** Beyond the ids that exploring draws. */
let nextId = 10_000_000_000;

/** Creations with ids that no other has, as bytes; all ids are of one length. */
function render(count) {
  return Array.from({ length: count }, () => {
    const body = `{"name":"Aloe","id":${nextId++},"tag":"succulent"}`;
    return Buffer.from(
      'POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer bench-token\r\n' +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

/** Some kept-alive connections to one server. */
export class Load {
  constructor(sockets) {
    this.sockets = sockets;
  }

  /** Connects; every connection has carried a request when this resolves, so that no accepting is measured. */
  static async open(port, connections = CONNECTIONS) {
    const sockets = await Promise.all(
      Array.from({ length: connections }, async () => {
        const socket = connect(port, '127.0.0.1').setNoDelay(true);
        await once(socket, 'connect');
        return socket;
      }),
    );
    const load = new Load(sockets);
    await load.create(connections);
    return load;
  }

  /**
   * Sends creations over all connections, one at a time on each.
   *
   * @returns {Promise<number>} milliseconds from the first request to the last answer; rejects where an answer is
   * not 200 or a connection ends
   */
  async create(count) {
    // Node closes connections after 5 s without a request; writing to one would wait for ever.
    if (this.sockets.some((socket) => socket.destroyed))
      throw new Error('a connection was idle for too long');
    const requests = render(count);
    let sent = 0;
    let answered = 0;
    const start = performance.now();
    await new Promise((resolve, reject) => {
      for (const socket of this.sockets) {
        const next = () => sent < count && socket.write(requests[sent++]);
        let missing = 0;
        socket.removeAllListeners();
        socket.on('error', reject);
        socket.on('close', () => reject(new Error('the server closed a connection')));
        socket.on('data', (chunk) => {
          missing = missing > 0 ? missing - chunk.length : bytesMissing(chunk);
          if (missing > 0) return;
          next();
          if (++answered === count) resolve();
        });
        next();
      }
    });
    return performance.now() - start;
  }

  close() {
    for (const socket of this.sockets) socket.removeAllListeners().destroy();
  }
}

/** Untimed requests, so that V8 has compiled what is measured. */
export async function warmUp({ port }, requests) {
  const load = await Load.open(port);
  await load.create(requests);
  load.close();
}

/** How much of the response that begins in this chunk is still to come. */
function bytesMissing(chunk) {
  if (chunk.latin1Slice(9, 12) !== '200') throw new Error(`not 200: ${chunk}`);
  const end = chunk.indexOf('\r\n\r\n') + 4;
  const head = chunk.latin1Slice(0, end).toLowerCase();
  const length = /content-length: *(\d+)/.exec(head);
  if (length === null) throw new Error(`a response without Content-Length: ${head}`);
  return end + Number(length[1]) - chunk.length;
}
