import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../once.js';
import { plant, TOKEN } from './plant-request.js';
import { head, RawSocket, wholeRequest } from './raw-socket.js';

/** `plant-store-contract serve` as a process: a signal needs one. */
class Serve implements AsyncDisposable {
  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    private readonly ended: Promise<unknown[]>,
  ) {}

  static async start(...args: readonly string[]): Promise<Serve> {
    const flags = ['--token', TOKEN, '--port', '0', '--log', 'silent', ...args];
    const argv = [await commandLine(), 'serve', ...flags];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const [output] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    const [, port] = /^listening on http:\/\/127\.0\.0\.1:(\d+)\n$/.exec(String(output)) ?? [];
    return new Serve(child, Number(port), ended);
  }

  /** Sends a signal and waits until the server accepts no further connection. */
  async signal(name: NodeJS.Signals): Promise<void> {
    this.child.kill(name);
    const accepts = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(this.port, '127.0.0.1');
        socket.on('error', () => resolve(false));
        socket.on('connect', () => {
          socket.destroy();
          resolve(true);
        });
      });
    while (await accepts());
  }

  /** The exit status, or the signal that ended the process. */
  async exit(): Promise<{ code: unknown; signal: unknown }> {
    const [code, signal] = await this.ended;
    return { code, signal };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', { timeout: 60_000 }, (signal) => {
  test('in the middle of a request: it gets its response, then the process ends with 0', async () => {
    await using serve = await Serve.start();
    using raw = await RawSocket.open(serve.port);
    const body = plant(7);
    raw.write(head(`Content-Length: ${body.length}`, 'Expect: 100-continue'));
    expect((await raw.response()).status).toBe(100);
    raw.write(body.slice(0, 10));
    await serve.signal(signal);
    raw.write(body.slice(10));
    expect(await raw.response()).toMatchObject({ status: 200, text: '{"name":"Aloe"}' });
    expect(await serve.exit()).toEqual({ code: 0, signal: null });
  });

  test('during a delayed response: the process ends with 0 at once', async () => {
    await using serve = await Serve.start('--delay', '60000');
    using raw = await RawSocket.open(serve.port);
    raw.write(wholeRequest(plant(7), 'Expect: 100-continue'));
    expect((await raw.response()).status).toBe(100);
    await serve.signal(signal);
    expect(await serve.exit()).toEqual({ code: 0, signal: null });
    await raw.closed;
  });
});
