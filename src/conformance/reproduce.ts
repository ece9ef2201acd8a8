import { curlLines } from './curl.js';
import type { CurlTarget } from './curl-words.js';
import type { ProbeRequest } from './exchange.js';
import { powerShellLines } from './powershell.js';
import type { Probe } from './probe.js';
import type { Shell } from './shells.js';

/** Lines for a shell that send the requests of a probe again, with new ids. They read the token from the environment. */
export function reproduceLines(
  requests: readonly ProbeRequest[],
  target: CurlTarget & { readonly shell: Shell },
  probe: Pick<Probe, 'oneConnection' | 'together'> = {},
): readonly string[] {
  return { posix: curlLines, powershell: powerShellLines }[target.shell](requests, target, probe);
}
