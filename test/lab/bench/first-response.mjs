import { once } from 'node:events';
import { connect } from 'node:net';
import { startServer } from './server-process.mjs';

const BODY = '{"name":"Aloe","id":7,"tag":"succulent"}';
const REQUEST =
  'POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer bench-token\r\n' +
  `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

/** Starts a server, creates one plant, and returns the milliseconds from the start to the first byte of the 200. */
export async function firstResponse(script, ...args) {
  const start = performance.now();
  const server = await startServer(script, ...args);
  const socket = connect(server.port, '127.0.0.1');
  socket.write(REQUEST);
  const [chunk] = await once(socket, 'data');
  const time = performance.now() - start;
  socket.destroy();
  await server.stop();
  if (chunk.latin1Slice(9, 12) !== '200') throw new Error(`${script} answered ${chunk}`);
  return time;
}
