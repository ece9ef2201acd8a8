// Goes with src/conformance/session/connections.ts: it tests how that works. Whoever replaces it deletes this file.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Connections } from '../../../src/conformance/session/connections.js';
import { type SendResult, send } from '../../../src/conformance/session/http.js';
import type { Route } from '../../../src/http/route.js';

/** A provider of raw connections, and what sends to it. */
interface Sender {
  /** Sends a request, on a kept connection unless it says otherwise. */
  send(own?: 'own'): Promise<SendResult>;
  readonly kept: Connections;
  /** How many connections were opened. */
  opened(): number;
}

/**
 * Listens on raw connections.
 *
 * @param serve called for each request, with its number on its connection, from 1
 */
async function provider(
  serve: (socket: Socket, number: number) => void,
  onConnection: (socket: Socket, go: () => void) => void = (_socket, go) => go(),
): Promise<Sender> {
  let opened = 0;
  const server = createServer((socket) => {
    opened++;
    let number = 0;
    socket.on('error', () => {});
    onConnection(socket, () => socket.on('data', () => serve(socket, ++number)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/plants`);
  const target: Route = { url, headers: [], insecure: false };
  const kept = new Connections(target);
  onTestFinished(() => {
    kept.close();
    server.close();
  });
  const request = { headers: [], body: Buffer.from('{}') };
  const sending = { timeoutMs: 900, signal: new AbortController().signal, beside: kept };
  return {
    send: (own) => send(target, request, own === undefined ? { ...sending, kept } : sending),
    kept,
    opened: () => opened,
  };
}

const response = (body: string, fields = ''): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${fields}\r\n${body}`;

const bodyOf = ({ response: got }: SendResult): string => Buffer.from(got?.body ?? []).toString();

describe('a kept connection', () => {
  test('carries one request after the other', async () => {
    const sender = await provider((socket, number) => socket.write(response(`${number}`)));
    const [first, second] = [await sender.send(), await sender.send()];
    expect([bodyOf(first), bodyOf(second)]).toEqual(['1', '2']);
    expect([first.reusedConnection, second.reusedConnection]).toEqual([false, true]);
    expect(sender.opened()).toBe(1);
  });

  test.each([
    ['the provider says that it closes it', 'Connection: close\r\n'],
    ['the provider keeps it for a second', 'Keep-Alive: timeout=1\r\n'],
  ])('is not used again if %s', async (_what, fields) => {
    const sender = await provider((socket, number) => socket.write(response(`${number}`, fields)));
    expect([bodyOf(await sender.send()), bodyOf(await sender.send())]).toEqual(['1', '1']);
  });

  test('is not used again if bytes follow the response', async () => {
    const sender = await provider((socket, number) => socket.write(`${response(`${number}`)}HTTP`));
    const first = await sender.send();
    expect(first.response).toMatchObject({ surplus: 4, complete: true });
    expect(bodyOf(await sender.send())).toBe('1');
  });

  test('is not used again if another response follows later', async () => {
    let sendLate = (): void => {};
    const sender = await provider((socket, number) => {
      socket.write(response(`${number}`));
      sendLate = () => void socket.write(response('late'));
    });
    const first = await sender.send();
    const [idle] = Object.values(sender.kept.agent.freeSockets).flatMap((sockets) => sockets ?? []);
    sendLate();
    await once(idle as Socket, 'close');
    expect([bodyOf(first), bodyOf(await sender.send())]).toEqual(['1', '1']);
  });

  test('that ends under a request counts as stale, and no other carries as many', async () => {
    const sender = await provider((socket, number) =>
      number > 2 ? socket.destroy() : socket.write(response(`${number}`)),
    );
    const sent: SendResult[] = [];
    for (let request = 0; request < 6; request++) sent.push(await sender.send());
    expect(sent.map(bodyOf)).toEqual(['1', '2', '', '1', '2', '1']);
    expect(sent[2]).toMatchObject({ reusedConnection: true, failure: { kind: 'reset' } });
  });
});

describe('no connection is kept any more if the provider', () => {
  test('serves the next one only when the one before has ended', async () => {
    let before = Promise.resolve();
    const sender = await provider(
      (socket, number) => socket.write(response(`${number}`)),
      (socket, go) => {
        void before.then(go);
        before = new Promise((resolve) => socket.once('close', () => resolve()));
      },
    );
    await sender.send();
    expect(bodyOf(await sender.send('own'))).toBe('1');
    expect(sender.kept.areKept).toBe(false);
    expect([bodyOf(await sender.send()), bodyOf(await sender.send())]).toEqual(['1', '1']);
  });

  test('never serves one again', async () => {
    const sender = await provider((socket, number) => number === 1 && socket.write(response('1')));
    await sender.send();
    expect(await sender.send()).toMatchObject({ reusedConnection: true, failure: { kind: 'reset' } });
    expect(bodyOf(await sender.send())).toBe('1');
  });
});
