import { execFile, spawn, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { startProxy } from 'plant-store-contract/proxy';
import { expect, onTestFinished, test } from 'vitest';

/** The server of Python's library, as it is: it speaks HTTP/1.0, and closes after each response without saying so. */
const SERVER = `
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers['Content-Length']))
        body = b'{"name":"Aloe"}'
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args): pass
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

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)(
  'in front of http.server of Python, clients of Node and Python that keep connections lose no request',
  { timeout: 60_000 },
  async () => {
    const python = spawn('python3', ['-c', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void python.kill());
    const port = await new Promise<string>((resolve) =>
      python.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
    );
    await using proxy = await startProxy({ upstream: `http://127.0.0.1:${port}`, prism: false });
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const body = `{"name":"Aloe","id":${1_000 + at}}`;
        const response = await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body });
        expect(await response.text()).toBe('{"name":"Aloe"}');
      }),
    );
    const { stdout } = await promisify(execFile)('python3', ['-c', CLIENT, String(proxy.port)]);
    expect(stdout.trim()).toBe('done');
    expect(await proxy.report()).toMatchObject({
      conclusion: 'conforms',
      traffic: { exchanges: 200, withoutResponse: 0 },
    });
  },
);
