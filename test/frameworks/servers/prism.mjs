// Prism's mock server of our document, as its command line would start it. It stores nothing.
import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { createServer } from '@stoplight/prism-http-server';
import { openApiDocument } from '../../../dist/spec/index.js';
import { silent } from './silent-logger.mjs';

const operations = await getHttpOperationsFromSpec(structuredClone(openApiDocument));
const server = createServer(operations, {
  components: { logger: silent },
  cors: false,
  config: {
    isProxy: false,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    mock: { dynamic: false },
    errors: false,
  },
});
process.stdout.write(`${await server.listen(0, '127.0.0.1')}\n`);
