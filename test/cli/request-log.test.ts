import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
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
  test('writes the lines of one turn of the event loop at once, in order', async () => {
    const { writes, log } = logTo('text');
    log.request(created);
    log.request({ ...created, status: 400, rejection: 'no' });
    expect(writes).toEqual([]);
    await turn();
    expect(writes).toEqual(['POST /plants 200\nPOST /plants 400 no\n']);
  });

  test('writes at most every 10 ms', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { writes, log } = logTo('text');
    log.request(created);
    vi.advanceTimersByTime(0);
    log.request(created);
    vi.advanceTimersByTime(9);
    log.request({ ...created, status: 400 });
    expect(writes).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(writes.slice(1)).toEqual(['POST /plants 200\nPOST /plants 400\n']);
  });

  test('writes at once what is left when the server stops, and nothing twice', async () => {
    const { writes, log } = logTo('text');
    log.request(created);
    log.flush();
    log.flush();
    await turn();
    expect(writes).toEqual(['POST /plants 200\n']);
  });

  test.each([
    ['text', 'POST /plants no response (failure: {"connection":"reset"})\n'],
    [
      'json',
      '{"event":"request","at":"1970-01-01T00:00:00.000Z","method":"POST","target":"/plants","status":0,"failure":{"connection":"reset"}}\n',
    ],
  ] as const)('shows a failure as %s', (form, line) => {
    const { writes, log } = logTo(form);
    log.request({ ...created, status: 0, failure: { connection: 'reset' } });
    log.flush();
    expect(writes).toEqual([line]);
  });

  test('a target cannot begin a line of its own', () => {
    const { writes, log } = logTo('text');
    log.request({ ...created, target: '/a\n::error::b\u001b[2J' });
    log.flush();
    expect(writes).toEqual(['POST /a\\n::error::b\\u001b[2J 200\n']);
  });
});

test('what a request line shows has no token, known or unknown', async () => {
  const { store, engine } = await startWithEngine({ token: 'token-of-this-test' });
  const { writes, log } = logTo('text');
  engine.listeners.add(log.request);
  const socket = connect(store.port, '127.0.0.1');
  socket.write(
    'GET /?a=token-of-this-test&b=another-unknown-token HTTP/1.1\r\nHost: a\r\nConnection: close\r\n' +
      'Authorization: Bearer another-unknown-token\r\n\r\n',
  );
  await once(socket.resume(), 'close');
  await store.close();
  log.flush();
  expect(writes).toEqual([
    'GET /?a=[redacted]&b=[redacted] 404 unknown path "/"; plants are created at /plants\n',
  ]);
});
