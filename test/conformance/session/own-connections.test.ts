// Goes with src/conformance/session/connections.ts: it tests how that works. Whoever replaces it deletes this file.
import type { Socket } from 'node:net';
import { checkConformance } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { startCorrect } from '../providers/correct/provider.js';

test('a token in another case shares no connection with the right one', async () => {
  const token = 'a-token-of-these-tests';
  const right = `Bearer ${token}`;
  const bySocket = new Map<Socket, string[]>();
  await using provider = await startCorrect(token, {
    server: (server) =>
      server.on('request', ({ socket, headers: { authorization = '' } }) =>
        bySocket.set(socket, [...(bySocket.get(socket) ?? []), authorization]),
      ),
  });
  const only = ['auth/near-miss-token-is-refused'];
  await checkConformance({ baseUrl: provider.url, token, only, prism: false });
  const isInOtherCase = (value: string): boolean =>
    value !== right && value.toLowerCase() === right.toLowerCase();
  const connections = [...bySocket.values()].filter((values) => values.some(isInOtherCase));
  expect(connections.map(({ length }) => length)).toEqual(connections.map(() => 1));
  expect(connections).not.toEqual([]);
  // Other wrong tokens share connections.
  expect([...bySocket.values()].some(({ length }) => length > 1)).toBe(true);
});
