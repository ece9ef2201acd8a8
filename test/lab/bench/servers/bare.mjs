// The yardstick: a node:http handler that parses, stores and responds, and checks nothing.
import { createServer } from 'node:http';

const plants = new Map();
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id, name, tag } = JSON.parse(Buffer.concat(chunks).toString());
    plants.set(id, { id, name, tag });
    const body = JSON.stringify({ name, tag });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
