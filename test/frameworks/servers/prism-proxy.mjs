// Prism's proxy of our document, as its command line would start it: `node prism-proxy.mjs <port or URL of the upstream>`.
import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { createServer } from '@stoplight/prism-http-server';
import { openApiDocument } from '../../../dist/spec/index.js';
import { silent } from './silent-logger.mjs';

const [, , asked] = process.argv;
const upstream = /^\d+$/.test(asked) ? `http://127.0.0.1:${asked}` : asked;
const operations = await getHttpOperationsFromSpec(structuredClone(openApiDocument));
const server = createServer(operations, {
  components: { logger: silent },
  cors: false,
  config: {
    isProxy: true,
    upstream: new URL(upstream),
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    mock: false,
    errors: false,
  },
});
process.stdout.write(`${await server.listen(0, '127.0.0.1')}\n`);
