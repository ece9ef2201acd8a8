// @ts-check
// The reference server, whose process ends with a request that has no body: SERVER PORT TOKEN, with the module of the server.
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const [, , file = '', port = '0', token = ''] = process.argv;
/** @type {typeof import('plant-store-contract/server')} */
const { createPlantStore } = await import(pathToFileURL(file).href);
const store = createPlantStore({ token });

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const { method = '', url = '', rawHeaders } = request;
  if (method === 'POST' && body.length === 0) process.exit(7);
  const headers = new Headers();
  rawHeaders.forEach((name, at) => {
    if (at % 2 === 0) headers.append(name, rawHeaders[at + 1] ?? '');
  });
  const sent = new Request(`http://localhost${url}`, { method, headers, ...(method === 'POST' && { body }) });
  const answer = await store.fetch(sent);
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}).listen(Number(port), '127.0.0.1');
