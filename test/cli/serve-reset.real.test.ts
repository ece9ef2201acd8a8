import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { commandLine } from '../once.js';

test('SIGUSR2 resets serve, which goes on', async () => {
  const args = ['serve', '--port', '0', '--token', 'secret', '--log', 'json'];
  const child = spawn(process.execPath, [await commandLine(), ...args]);
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const nextLine = async () => JSON.parse((await lines.next()).value);
    const { url } = await nextLine();
    const create = async (): Promise<number> => {
      const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
      const response = await fetch(`${url}/plants`, {
        method: 'POST',
        headers,
        body: '{"name":"Aloe","id":7}',
      });
      await response.text();
      expect(await nextLine()).toMatchObject({ event: 'request', status: response.status });
      return response.status;
    };
    expect([await create(), await create()]).toEqual([200, 400]);
    for (const status of [200, 200]) {
      child.kill('SIGUSR2');
      expect(await nextLine()).toEqual({ event: 'reset' });
      expect(await create()).toBe(status);
    }
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
