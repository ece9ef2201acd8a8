import { BlockList, isIP } from 'node:net';
import { invalidOption } from '../toolkit-error.js';
import { hostOf, isLoopback } from './address.js';

/** An HTTP proxy through which connections go. */
export class OutboundProxy {
  /** How many tunnels it did not open, and what it last did instead, as the end of a sentence. */
  failures = 0;
  lastFailure = '';

  /**
   * @param url may contain a user and a password; show only its host
   * @param withinMs how long opening a tunnel may take
   */
  constructor(
    readonly url: URL,
    readonly withinMs: number,
  ) {}

  /** How a sentence names it. */
  get name(): string {
    return `the proxy at ${this.url.host}`;
  }
}

/** A proxy did not open a tunnel. This says nothing about the server behind it. */
export class OutboundProxyError extends Error {
  readonly code = 'ERR_OUTBOUND_PROXY';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL: the given one, or the one that `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` names, unless `NO_PROXY`
 * lists the host. This is as in curl, except that the environment names no proxy for this machine: a proxy elsewhere
 * cannot reach a provider here.
 *
 * @param given the proxy that a flag names; empty for none
 * @throws ToolkitError `invalid-option` if it is no HTTP proxy
 */
export function outboundProxyFor(url: URL, env: Environment, given?: string): URL | undefined {
  const [name, text] = given === undefined ? fromEnvironment(url, env) : ['the proxy', given];
  if (text === '' || isException(url, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
  return outboundProxyUrl(text, name);
}

/**
 * The URL of a proxy, with or without `http://`.
 *
 * @param name what an error names; it shows nothing else, since there may be a password
 * @throws ToolkitError `invalid-option` if it is no HTTP proxy
 */
export function outboundProxyUrl(text: string, name = 'the proxy'): URL {
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isProxy = url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '';
  if (isProxy && isDecodable(url.username + url.password)) return url;
  throw invalidOption(`${name} must be the URL of an HTTP proxy, such as http://proxy.example:3128`);
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

function fromEnvironment(url: URL, env: Environment): readonly [name: string, value: string] {
  const { protocol } = url;
  if (isLoopback(hostOf(url))) return ['', ''];
  const names =
    protocol === 'https:'
      ? ['https_proxy', 'HTTPS_PROXY']
      : // A web server that runs a program as CGI sets HTTP_PROXY to what a client sends.
        ['http_proxy', ...(env.REQUEST_METHOD === undefined ? ['HTTP_PROXY'] : [])];
  for (const name of [...names, 'all_proxy', 'ALL_PROXY']) {
    const value = env[name];
    if (value !== undefined) return [name, value];
  }
  return ['', ''];
}

/** Each entry is `*`, a host, the end of one, an address, or a range of addresses, with or without a port. */
function isException(url: URL, list: string): boolean {
  const host = hostOf(url).toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, bracketed, plain, wantedPort = port] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(entry) ?? [];
      const name = isIP(entry) === 6 ? entry : (bracketed ?? plain ?? '').replace(/^\.|\.$/g, '');
      if (name === '' || (isIP(entry) !== 6 && wantedPort !== port)) return false;
      return name === '*' || name === host || host.endsWith(`.${name}`) || isInRange(host, name);
    });
}

/** `127.0.0.0/8`, or an address. */
function isInRange(host: string, entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const bits = Number(prefix ?? (family === 'ipv6' ? 128 : 32));
  if (isIP(host) === 0 || isIP(address) !== isIP(host)) return false;
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 'ipv6' ? 128 : 32)) return false;
  const range = new BlockList();
  range.addSubnet(address, bits, family);
  return range.check(host, family);
}
