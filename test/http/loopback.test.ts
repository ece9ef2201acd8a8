import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { startProxy } from 'plant-store-contract/proxy';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startForwarder } from '../../src/http/forwarder.js';
import { files } from '../source.js';

// Every listener is on loopback, unless the user says otherwise.

const UPSTREAM = 'http://127.0.0.1:1';

/** Starts each server without a host, and gives its URLs. */
const SERVERS: Readonly<Record<string, () => Promise<{ urls: string[]; close(): Promise<unknown> }>>> = {
  async 'the reference server'() {
    const store = await startPlantStore();
    return { urls: [store.url], close: () => store.close() };
  },
  async 'the proxy'() {
    const proxy = await startProxy({ upstream: UPSTREAM });
    return { urls: [proxy.url], close: () => proxy.close() };
  },
  async 'a forwarder'() {
    const forwarder = await startForwarder({ upstream: { url: new URL(UPSTREAM), headers: [] } });
    return { urls: [forwarder.url], close: () => forwarder.close() };
  },
};

/** Whether a port accepts connections at an address. */
function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (isConnected: boolean): void => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

const OUTSIDE = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address);

describe.each(Object.entries(SERVERS))('%s', (_name, start) => {
  test('listens on the loopback interface only', async () => {
    const { urls, close } = await start();
    for (const url of urls) {
      const { hostname, port } = new URL(url);
      expect(hostname).toBe('127.0.0.1');
      // The address 127.0.0.2 is of the same interface: a server on every address would accept connections there.
      for (const address of ['127.0.0.2', ...OUTSIDE])
        expect(await isOpen(address, Number(port))).toBe(false);
    }
    await close();
  });
});

test('an empty host is an error: Node would listen on every address', async () => {
  const start = startProxy({ upstream: UPSTREAM, host: '' });
  await expect(start).rejects.toThrow('the host to listen on must not be empty');
});

test('every server of the package listens by the same function', () => {
  const listens = (file: string): boolean =>
    /^[^*/]*\bserver\.listen\(|createServer\(.*\)\.listen\(/m.test(readFileSync(`src/${file}`, 'utf8'));
  expect(files.filter(listens)).toEqual(['http/address.ts']);
});
