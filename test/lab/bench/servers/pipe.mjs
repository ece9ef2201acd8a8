// The yardstick of proxies: a node:http handler that pipes both ways, and looks at nothing.
import { Agent, createServer, request } from 'node:http';

const agent = new Agent({ keepAlive: true });
const upstream = { host: '127.0.0.1', port: Number(process.argv[2]), agent };
const server = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const sent = request({ ...upstream, method, path, headers }, (received) => {
    outgoing.writeHead(received.statusCode, received.statusMessage, received.headers);
    received.pipe(outgoing);
  });
  incoming.pipe(sent);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
