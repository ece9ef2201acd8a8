// A client that sends any bytes.
import { connect } from 'node:net';

/**
 * Sends bytes, and reads until the connection ends.
 *
 * @param {number} port
 * @param {string} bytes in Latin-1
 * @returns {Promise<{ received: string, hung: boolean }>}
 */
export function exchange(port, bytes, limitMs = 20_000) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      socket.destroy();
    }, limitMs);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ received, hung });
    });
    socket.write(bytes, 'latin1');
  });
}

/**
 * The statuses of the final responses in what a client received. The bodies of the recorder contain none.
 *
 * @param {string} received
 */
export function statusesIn(received) {
  return [...received.matchAll(/HTTP\/1\.1 ([2-9]\d\d) /g)].map(([, status]) => Number(status));
}
