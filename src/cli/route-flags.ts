import type { CheckOptions } from '../conformance/options.js';
import { definedOnly } from '../defined-only.js';
import { contentOf, type FlagsOf, flag, type Given, header, wholeNumber, without } from './command.js';
import type { CommandIo } from './io.js';

/** The flags that say how another server is reached. */
export const routeFlags = [
  flag('--ca <file>', 'trust these certificates (PEM) instead of the default ones'),
  without(flag('--insecure', 'accept any certificate'), ['ca']),
  flag('--cert <file>', 'a client certificate (PEM), with those that lead to its authority'),
  flag('--key <file>', 'the private key of the client certificate (PEM, without a passphrase)'),
] as const;

/** The flags that say how requests are sent to a provider. */
export const requestFlags = [
  flag('--header <field>', 'send "Name: value" with every request; can be repeated', header),
  flag('--timeout <ms>', 'time limit for a request (default: 5000)', wholeNumber),
] as const;

type GivenRoute = Pick<CheckOptions, 'headers' | 'timeoutMs' | 'ca' | 'insecure' | 'cert' | 'key'>;

/**
 * How a server is reached, as the flags and the environment say it.
 *
 * @throws ToolkitError `invalid-option` if a file cannot be read
 */
export async function routeFrom(
  { flags }: Given<FlagsOf<typeof routeFlags> & FlagsOf<typeof requestFlags>>,
  io: CommandIo,
): Promise<GivenRoute> {
  const read = (file: string | undefined, what: string): Promise<string> | undefined =>
    file === undefined ? undefined : contentOf(file, what, io);
  return definedOnly({
    headers: flags.header,
    timeoutMs: flags.timeout,
    ca: await read(flags.ca, 'the CA'),
    insecure: flags.insecure,
    cert: await read(flags.cert, 'the client certificate'),
    key: await read(flags.key, 'the private key'),
  });
}
