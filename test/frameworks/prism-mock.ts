import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { createServer } from '@stoplight/prism-http-server';
import { openApiDocument } from 'plant-store-contract/spec';
import type { Provider } from '../conformance/providers/provider.js';

type ServerOptions = Parameters<typeof createServer>[1];

/** Prism's logger is pino; nothing that it says is wanted here. */
const silent = {
  ...Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'success'].map((level) => [level, () => {}]),
  ),
  child: () => silent,
} as unknown as ServerOptions['components']['logger'];

/** Prism's mock server of our document, as its command line would start it. */
export async function startPrismMock(): Promise<Provider> {
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
      upstreamProxy: undefined,
    } as unknown as ServerOptions['config'],
  });
  const url = await server.listen(0, '127.0.0.1');
  return { url, [Symbol.asyncDispose]: () => server.close() };
}
