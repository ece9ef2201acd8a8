import type { Command } from 'commander';
import { proxyFor } from '../http/proxy-environment.js';
import type { CommandIo } from './io.js';

/** The flag that names a proxy on the way to the provider. */
export interface ProxyFlag {
  readonly proxy?: string;
}

/** Adds this flag to a command. */
export function withProxyFlag(command: Command): Command {
  return command.option(
    '--proxy <url>',
    'reach the provider through this HTTP proxy; "" for none (default: HTTPS_PROXY or HTTP_PROXY, except for NO_PROXY)',
  );
}

/**
 * The proxy that the flag or the environment names for a provider.
 *
 * @throws ToolkitError `invalid-option` if it is no HTTP proxy
 */
export function proxyFrom({ proxy }: ProxyFlag, baseUrl: string, io: CommandIo): { readonly proxy?: URL } {
  // A base URL that is none gets its own sentence.
  const url = URL.canParse(baseUrl) ? proxyFor(new URL(baseUrl), io.env, proxy) : undefined;
  return url === undefined ? {} : { proxy: url };
}
