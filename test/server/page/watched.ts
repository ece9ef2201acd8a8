import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeJson } from 'plant-store-contract/validation';
import { expect } from 'vitest';
import type { RunningProxy } from '../../../src/proxy/proxy.js';
import { SeenSecrets } from '../../../src/proxy/seen-secrets.js';
import { type RunningControl, startControl } from '../../../src/server/control/start-control.js';
import { storeRoutes } from '../../../src/server/control/store-routes.js';
import { readEvents } from '../../../src/server/control/wire.js';
import type { Engine } from '../../../src/server/engine.js';
import { type RunningPlantStore, startWithEngine } from '../../../src/server/listen.js';
import type { ListenOptions } from '../../../src/server/options.js';
import type { Batch, Hello, Row, ShownExchange } from '../../../src/server/page/browser/wire.js';
import { PAGE_PATHS } from '../../../src/server/page/page-files.js';
import { watchProxy } from '../../../src/server/page/watch-proxy.js';
import { watchStore } from '../../../src/server/page/watch-store.js';
import { once } from '../../once.js';
import { judge, problemsIn } from '../control/control-document.js';

/** A folder with an empty script, for tests that need no browser. */
export async function emptyPage(): Promise<URL> {
  const folder = await once('empty-page', async (folder) => writeFileSync(join(folder, 'main.js'), ''));
  return pathToFileURL(`${folder}/`);
}

export const TOKEN = 'token-of-the-page-tests';

/** What a test asks of a watched server. Every JSON response of it is compared with `spec/control.yaml`. */
abstract class Watched implements AsyncDisposable {
  abstract readonly control: RunningControl;
  abstract readonly target: { readonly url: string };
  protected abstract close(): Promise<unknown>;

  get pageUrl(): string {
    return `${this.control.url}/`;
  }

  async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.control.url + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body !== undefined && { body: writeJson(body as []) }),
    });
    const { value, problems } = await judge(method, path.replace(/\?.*/, ''), response);
    expect(problems, `${method} ${path}`).toEqual([]);
    return value;
  }

  async exchange(number: number): Promise<ShownExchange> {
    return (await this.call('GET', `/exchanges/${number}`)) as ShownExchange;
  }

  /** What a page gets, until there are so many rows. */
  async follow(rows: number): Promise<{ hello: Hello; batches: Batch[] }> {
    const stop = new AbortController();
    const response = await fetch(`${this.control.url}/exchanges/stream`, { signal: stop.signal });
    const batches: Batch[] = [];
    let hello: Hello | undefined;
    let count = 0;
    for await (const { type, json } of readEvents(response)) {
      if (type === 'hello') hello = JSON.parse(json);
      else {
        const batch: Batch = JSON.parse(json);
        batches.push(batch);
        count += batch.rows.length;
      }
      if (count >= rows) break;
    }
    stop.abort();
    expect(problemsIn({ $ref: '#/components/schemas/Hello' }, hello)).toEqual([]);
    for (const batch of batches)
      expect(problemsIn({ $ref: '#/components/schemas/Batch' }, batch)).toEqual([]);
    return { hello: hello as Hello, batches };
  }

  /** The rows of the first exchanges. */
  async rows(count: number): Promise<Row[]> {
    return (await this.follow(count)).batches.flatMap(({ rows }) => rows);
  }

  /** Sends a creation; the response is read to its end. */
  async create(plant: object | string, headers: Record<string, string> = {}): Promise<Response> {
    const body = typeof plant === 'string' ? plant : JSON.stringify(plant);
    const response = await fetch(`${this.target.url}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      body,
    });
    await response.clone().arrayBuffer();
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.control.close();
    await this.close();
  }
}

interface WatchOptions {
  /** Of the control interface. */
  readonly token?: string;
  readonly port?: number;
  /** With the scripts of the page. */
  readonly folder?: URL;
}

/** A reference server with its page. */
export class WatchedStore extends Watched {
  private constructor(
    readonly target: RunningPlantStore,
    readonly engine: Engine,
    readonly control: RunningControl,
  ) {
    super();
  }

  static async start(
    options: ListenOptions = {},
    { token, port = 0, folder }: WatchOptions = {},
  ): Promise<WatchedStore> {
    const { store, engine } = await startWithEngine({ token: TOKEN, ...options });
    const secrets = token === undefined ? [] : [token];
    const page = watchStore(engine, store.url, secrets, folder ?? (await emptyPage()));
    const control = await startControl(
      { ...storeRoutes(engine), ...page },
      { port, openPaths: PAGE_PATHS, ...(token !== undefined && { token }) },
    );
    return new WatchedStore(store, engine, control);
  }

  protected close(): Promise<void> {
    return this.target.close();
  }
}

/** A proxy with its page. */
export class WatchedProxy extends Watched {
  private constructor(
    readonly target: RunningProxy,
    readonly control: RunningControl,
  ) {
    super();
  }

  static async start(
    upstream: string,
    { prism = false, folder }: { prism?: boolean; folder?: URL } = {},
  ): Promise<WatchedProxy> {
    const { proxy, routes } = await watchProxy(
      { upstream, prism },
      new SeenSecrets(),
      folder ?? (await emptyPage()),
    );
    return new WatchedProxy(proxy, await startControl(routes, { port: 0, openPaths: PAGE_PATHS }));
  }

  protected close(): Promise<unknown> {
    return this.target.close();
  }
}
