import { connect, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { reasonOf } from '../toolkit-error.js';
import { hostOf, isLoopback } from './address.js';
import { type OutboundProxy, OutboundProxyError } from './outbound-proxy.js';

/** The longest head of the response to CONNECT, in bytes. */
const LONGEST_HEAD = 64 * 1024;

/**
 * A connection to a server through a proxy (RFC 9110, section 9.3.6). The proxy passes on the bytes as they are, also those
 * without TLS. It can be used at once: what is written waits until the tunnel is open, and `connect` is emitted then. Its
 * error is a {@link OutboundProxyError} if the proxy opens none.
 */
export class TunnelSocket extends Socket {
  override connecting = true;
  private readonly raw: Socket;
  private readonly timer: NodeJS.Timeout;
  private head: Buffer = Buffer.alloc(0);
  private waiting: (() => void) | undefined;
  private hasEnded = false;

  /** @param url where the tunnel leads */
  constructor(
    private readonly url: URL,
    private readonly outbound: OutboundProxy,
  ) {
    super();
    const isTls = outbound.url.protocol === 'https:';
    const host = hostOf(outbound.url);
    const port = Number(outbound.url.port) || (isTls ? 443 : 80);
    this.raw = isTls
      ? connectTls({
          ...{ host, port, allowHalfOpen: true, ALPNProtocols: ['http/1.1'] },
          ...(isIP(host) === 0 && { servername: host }),
        })
      : connect({ host, port, allowHalfOpen: true });
    this.raw.setNoDelay(true);
    this.raw.once(isTls ? 'secureConnect' : 'connect', () => this.raw.write(this.request()));
    this.raw.on('data', this.readHead);
    this.raw.on('error', (cause) =>
      this.connecting ? this.fail(`: ${reasonOf(cause)}`) : this.destroy(cause),
    );
    this.raw.on('end', () => {
      this.hasEnded = true;
      if (this.connecting) this.fail(' closed the connection');
      else this.push(null);
    });
    // What came before an end may not have been read yet.
    this.raw.on('close', () => this.hasEnded || this.destroy());
    this.timer = setTimeout(
      () => this.fail(` opened no tunnel within ${outbound.withinMs} ms`),
      outbound.withinMs,
    );
  }

  // Without a handle of its own, it would wait for `connect` each time.
  override setKeepAlive(enableOrOptions?: unknown, initialDelay?: number): this {
    // The types of Node 26 have options here.
    this.raw.setKeepAlive(enableOrOptions as boolean, initialDelay);
    return this;
  }

  override ref(): this {
    this.raw.ref();
    return this;
  }

  override unref(): this {
    this.raw.unref();
    return this;
  }

  override _read(): void {
    if (!this.connecting) this.raw.resume();
  }

  override _write(
    chunk: Buffer | string,
    encoding: BufferEncoding,
    done: (cause?: Error | null) => void,
  ): void {
    this.whenOpen(() => this.raw.write(chunk, encoding, done));
  }

  /** What was written together goes out together. */
  override _writev(
    chunks: readonly { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[],
    done: (cause?: Error | null) => void,
  ): void {
    const all = chunks.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    this.whenOpen(() => this.raw.write(Buffer.concat(all), done));
  }

  override _final(done: (cause?: Error | null) => void): void {
    this.whenOpen(() => this.raw.end(() => done()));
  }

  override _destroy(cause: Error | null, done: (cause?: Error | null) => void): void {
    clearTimeout(this.timer);
    this.connecting = false;
    this.raw.destroy();
    super._destroy(cause, done);
  }

  private whenOpen(go: () => void): void {
    if (this.connecting) this.waiting = go;
    else go();
  }

  private request(): string {
    const target = targetOf(this.url);
    const { username, password } = this.outbound.url;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const authorization =
      username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
    return `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`;
  }

  private readonly readHead = (bytes: Buffer): void => {
    this.head = Buffer.concat([this.head, bytes]);
    const end = this.head.indexOf('\r\n\r\n');
    const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(this.head.toString('latin1', 0, 12)) ?? [];
    const isOther = status === undefined && this.head.length >= 12;
    if (isOther || this.head.length > LONGEST_HEAD) this.fail(' does not answer as an HTTP proxy');
    else if (end >= 0 && status !== undefined) this.answered(Number(status), this.head.subarray(end + 4));
  };

  private answered(status: number, rest: Buffer): void {
    if (status < 200 || status > 299) {
      this.fail(` returned ${status}${this.reasonFor(status)}`);
      return;
    }
    clearTimeout(this.timer);
    this.head = Buffer.alloc(0);
    this.raw.off('data', this.readHead);
    this.connecting = false;
    if (rest.length > 0) this.push(rest);
    this.raw.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) this.raw.pause();
    });
    this.waiting?.();
    this.waiting = undefined;
    this.emit('connect');
  }

  /** What probably explains a status, as the end of a sentence. */
  private reasonFor(status: number): string {
    const target = targetOf(this.url);
    if (status === 407)
      return this.outbound.url.username === ''
        ? `: it asks for a user and a password, as in http://user:password@${this.outbound.url.host}`
        : ': it does not accept the user and the password';
    if (status >= 500) return `: it cannot reach ${target}`;
    const isUsual = target.endsWith(':443');
    return ` to CONNECT ${target}${isUsual ? '' : '; many proxies allow tunnels only to port 443'}`;
  }

  private fail(why: string): void {
    if (this.destroyed) return;
    const { hostname } = this.url;
    const hint = isLoopback(hostname) ? `; to reach ${hostname} without the proxy, leave out --proxy` : '';
    this.outbound.failures++;
    this.outbound.lastFailure = `${this.outbound.name}${why}${hint}`;
    this.destroy(new OutboundProxyError(this.outbound.lastFailure));
  }
}

/**
 * Opens a tunnel, and waits until it is open.
 *
 * @throws OutboundProxyError if the proxy does not open one; Error if the signal stops it
 */
export function openTunnel(url: URL, outbound: OutboundProxy, signal?: AbortSignal): Promise<Socket> {
  const socket = new TunnelSocket(url, outbound);
  return new Promise((resolve, reject) => {
    const stop = (): void => void socket.destroy(signal?.reason as Error);
    const settle = (): void => signal?.removeEventListener('abort', stop);
    socket.once('connect', () => resolve(socket)).once('connect', settle);
    socket.on('error', reject).once('close', settle);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
  });
}

/** The host and the port that a tunnel leads to. */
function targetOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
