import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { requestLog } from '../../src/cli/request-log.js';
import { startWithEngine } from '../../src/server/listen.js';
import type { ReceivedRequest } from '../../src/server/store.js';

const created: ReceivedRequest = {
  number: 1,
  method: 'POST',
  target: '/plants',
  headers: [],
  body: new Uint8Array(),
  json: undefined,
  status: 200,
  at: new Date(0),
};

/** A log with what it writes. */
function logTo(form: 'text' | 'json') {
  const writes: string[] = [];
  return { writes, log: requestLog(form, { write: (text) => void writes.push(text) }) };
}

describe('the log of serve', () => {
  test.each([
    ['text', 'POST /plants no response (failure: {"connection":"reset"})\n'],
    [
      'json',
      '{"event":"request","at":"1970-01-01T00:00:00.000Z","method":"POST","target":"/plants","status":0,"failure":{"connection":"reset"}}\n',
    ],
  ] as const)('shows a failure as %s', (form, line) => {
    const { writes, log } = logTo(form);
    log({ ...created, status: 0, failure: { connection: 'reset' } });
    expect(writes).toEqual([line]);
  });

  test('a target cannot begin a line of its own', () => {
    const { writes, log } = logTo('text');
    log({ ...created, target: '/a\n::error::b\u001b[2J' });
    expect(writes).toEqual(['POST /a\\n::error::b\\u001b[2J 200\n']);
  });
});

test('what a request line shows has no token, known or unknown', async () => {
  const { store, engine } = await startWithEngine({ token: 'token-of-this-test' });
  const { writes, log } = logTo('text');
  engine.events.on('received', log);
  const socket = connect(store.port, '127.0.0.1');
  socket.write(
    'GET /?a=token-of-this-test&b=another-unknown-token HTTP/1.1\r\nHost: a\r\nConnection: close\r\n' +
      'Authorization: Bearer another-unknown-token\r\n\r\n',
  );
  await once(socket.resume(), 'close');
  await store.close();
  expect(writes).toEqual([
    'GET /?a=[redacted]&b=[redacted] 404 unknown path "/"; plants are created at /plants\n',
  ]);
});
