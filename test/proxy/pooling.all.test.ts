import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startProxy } from 'plant-store-contract/proxy';
import { expect, onTestFinished, test } from 'vitest';
import { has } from '../tools.js';

/** The server of Python's library. As it is, it speaks HTTP/1.0, and closes after each response without saying so. */
const SERVER = `
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import sys
class Handler(BaseHTTPRequestHandler):
    protocol_version = sys.argv[1]
    def do_POST(self):
        self.rfile.read(int(self.headers['Content-Length']))
        body = b'{"name":"Aloe"}'
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args): pass
# It accepts 5 at once as it is: of 100 connections that begin together, the kernel then loses some for a minute.
ThreadingHTTPServer.request_queue_size = 128
server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()`;

/** A client of Python's library, which keeps its connection. */
const CLIENT = `
import http.client, sys
connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
headers = {'Authorization': 'Bearer secret', 'Content-Type': 'application/json'}
for id in range(100):
    connection.request('POST', '/plants', '{"name":"Aloe","id":%d}' % id, headers)
    response = connection.getresponse()
    assert response.status == 200 and response.read() == b'{"name":"Aloe"}'
print('done')`;

const run = promisify(execFile);
const JAVA = fileURLToPath(new URL('PoolingClient.java', import.meta.url));

/** Clients that keep their connections, and how many plants each sends. */
const CLIENTS: readonly (readonly [
  name: string,
  plants: number,
  send: (url: string, port: number) => Promise<string>,
])[] = [
  [
    'Node',
    100,
    async (url) => {
      const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
      const sent = Array.from({ length: 100 }, async (_, at) => {
        const body = `{"name":"Aloe","id":${1_000 + at}}`;
        const response = await fetch(`${url}/plants`, { method: 'POST', headers, body });
        expect(await response.text()).toBe('{"name":"Aloe"}');
      });
      return (await Promise.all(sent)) && 'done';
    },
  ],
  ['Python', 100, async (_url, port) => (await run('python3', ['-c', CLIENT, String(port)])).stdout],
  // It asks for an upgrade to HTTP/2 unless it is told not to.
  ['Java', 200, async (url) => (await run('java', [JAVA, url, 'HTTP_2'])).stdout],
  ['Java with HTTP/1.1', 200, async (url) => (await run('java', [JAVA, url, 'HTTP_1_1'])).stdout],
];

test
  .skipIf(!has('python3'))
  .for(['HTTP/1.0', 'HTTP/1.1'].flatMap((version) => CLIENTS.map((client) => [version, ...client] as const)))(
  'in front of http.server of Python with %s, a client of %s loses no request',
  { timeout: 60_000 },
  async ([version, name, plants, send], { skip }) => {
    if (name.startsWith('Java') && !has('java', '-version')) skip();
    const python = spawn('python3', ['-c', SERVER, version], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void python.kill());
    const port = await new Promise<string>((resolve) =>
      python.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
    );
    await using proxy = await startProxy({ upstream: `http://127.0.0.1:${port}` });
    expect((await send(proxy.url, proxy.port)).trim()).toBe('done');
    expect(await proxy.report()).toMatchObject({
      conclusion: 'conforms',
      traffic: { exchanges: plants, withoutResponse: 0 },
    });
  },
);
