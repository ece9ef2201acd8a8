import { connect } from 'node:net';

// A load generator must cost less than what it measures, and every request needs an id of its own. So requests
// are rendered beforehand and written to plain sockets; a response is recognised by its status line.
const CONNECTIONS = 32;

/** Requests with ids from `first` on, as bytes, all of one length of id. */
function render(first, count) {
  return Array.from({ length: count }, (_, index) => {
    const body = `{"name":"Aloe","id":${first + index},"tag":"succulent"}`;
    return Buffer.from(
      'POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer bench-token\r\n' +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

let nextId = 1_000_000_000;

/**
 * Sends `count` creations over some kept-alive connections, one at a time on each.
 *
 * @returns {Promise<number>} requests a second; rejects where an answer is not 200
 */
export async function requestsPerSecond(port, count) {
  const requests = render(nextId, count);
  nextId += count;
  let sent = 0;
  let answered = 0;
  const start = performance.now();
  await new Promise((resolve, reject) => {
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      const next = () => sent < count && socket.write(requests[sent++]);
      let missing = 0;
      socket.on('connect', next);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        if (missing > 0) {
          missing -= chunk.length;
        } else {
          if (chunk.latin1Slice(9, 12) !== '200') return reject(new Error(`not 200: ${chunk}`));
          missing = bytesMissing(chunk);
        }
        if (missing > 0) return;
        next();
        if (++answered === count) {
          for (const each of sockets) each.destroy();
          resolve();
        }
      });
      return socket;
    });
  });
  return (count / (performance.now() - start)) * 1000;
}

/** How much of the response that begins in this chunk is still to come. */
function bytesMissing(chunk) {
  const end = chunk.indexOf('\r\n\r\n') + 4;
  const head = chunk.latin1Slice(0, end).toLowerCase();
  const length = /content-length: *(\d+)/.exec(head);
  if (length === null) throw new Error(`a response without Content-Length: ${head}`);
  return end + Number(length[1]) - chunk.length;
}
