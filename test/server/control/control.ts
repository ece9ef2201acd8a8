import type { ListenOptions, RunningPlantStore } from 'plant-store-contract/server';
import { writeJson } from 'plant-store-contract/validation';
import { expect } from 'vitest';
import {
  type ControlOptions,
  type RunningControl,
  startControl,
} from '../../../src/server/control/control.js';
import { startStore } from '../../../src/server/listen.js';
import type { Store } from '../../../src/server/plant-store.js';
import { plant, type ReceivedResponse, send, TOKEN } from '../plant-request.js';
import { judge } from './control-document.js';

/** A store with its control interface. Every response of it is compared with `spec/control.yaml`. */
export class Controlled implements AsyncDisposable {
  private constructor(
    readonly store: Store & RunningPlantStore,
    readonly control: RunningControl,
  ) {}

  static async start(
    options: ListenOptions = {},
    control: Partial<ControlOptions> = {},
  ): Promise<Controlled> {
    const store = await startStore({ token: TOKEN, ...options });
    return new Controlled(store, await startControl(store, { port: 0, ...control }));
  }

  /** Calls the control interface; its response must be as documented. */
  async call(
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; value: unknown }> {
    const response = await fetch(`${this.control.url}${target}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : writeJson(body as object as []) }),
    });
    const { problems, ...judged } = await judge(method, target.replace(/\?.*/, ''), response);
    expect(problems, `${method} ${target}`).toEqual([]);
    return judged;
  }

  /** Until a call waits for requests. */
  async untilWatched(): Promise<void> {
    while (this.store.journal.watchers.size === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  create(id: number | bigint, name = 'Aloe'): Promise<ReceivedResponse> {
    return send(this.store.url, { body: plant(id, name) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.control.close(), this.store.close()]);
  }
}
