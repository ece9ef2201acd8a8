import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { type PlantStoreOptions, startPlantStore } from 'plant-store-contract/server';
import { startHandler } from './handler.js';
import type { Provider } from './provider.js';

/** A request on its way to the reference server. */
export interface Passing {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Lets the reference server answer. */
  pass(): Promise<void>;
}

/** The reference server behind a handler that answers some requests by itself, and passes the others on. */
export async function startInFront(
  options: PlantStoreOptions,
  handle: (passing: Passing) => unknown,
): Promise<Provider> {
  const store = await startPlantStore(options);
  const provider = await startHandler(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const pass = (): Promise<void> => forward(`${store.url}${request.url}`, request, body, response);
    await handle({ request, body, response, pass });
  });
  return {
    url: provider.url,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await store.close();
    },
  };
}

/** An Error as the reference server would write it, with any status. */
export function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: status, message: 'not this one' }));
}

function forward(
  url: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const { connection, 'transfer-encoding': coding, ...headers } = request.headers;
  return new Promise((resolve) => {
    const outgoing = requestHttp(
      url,
      { method: request.method, headers: { ...headers, 'content-length': body.length }, agent: false },
      (answer) => {
        // What is said of the connection behind does not hold for the one in front.
        const { connection: _behind, ...fields } = answer.headers;
        response.writeHead(answer.statusCode ?? 500, fields);
        answer.pipe(response);
        answer.on('end', resolve);
      },
    );
    // The check was stopped, and the server behind closed under the request.
    outgoing.on('error', () => {
      response.destroy();
      resolve();
    });
    outgoing.end(body);
  });
}
