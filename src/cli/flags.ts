import { millisecondsIn } from '../duration.js';
import type { Fields } from '../http/fields.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { InvalidArgumentError } from './commander.js';
import { described, REPEATS } from './flag-value.js';
import { rejectIdle } from './idle-flags.js';
import type { CommandIo } from './io.js';
import type { ReporterFlag } from './reports.js';

/** Reads a whole number. The command itself checks its limits. */
export const wholeNumber = described({ type: 'integer' }, (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
});

/** Reads a duration in milliseconds: `30s` is 30,000. */
export function duration(text: string): number {
  const milliseconds = millisecondsIn(text);
  if (milliseconds === undefined) throw new InvalidArgumentError('It must look like 30s, 5m or 500ms.');
  return milliseconds;
}

/** Reads names that commas separate. The flag can be repeated. */
export const list = described(REPEATS, (value: string, before: readonly string[] = []): readonly string[] => {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('A name is empty.');
  return [...before, ...names];
});

/** Reads the path of a file. The flag can be repeated. */
export const files = described(
  REPEATS,
  (value: string, before: readonly string[] = []): readonly string[] => [...before, value],
);

/** Reads the name of a reporter, and after `=` the file that it writes to. The flag can be repeated. */
export const reporter = described(
  REPEATS,
  (value: string, before: readonly ReporterFlag[] = []): readonly ReporterFlag[] => {
    const [name = '', ...file] = value.split('=');
    if (value.endsWith('=')) throw new InvalidArgumentError('The name of the file is missing.');
    return [...before, { name, file: file.length === 0 ? undefined : file.join('=') }];
  },
);

/** Reads a header field, `Name: value`. The flag can be repeated. */
export const header = described(REPEATS, (value: string, before: Fields = []): Fields => {
  const colon = value.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('It must look like "Name: value".');
  return [...before, [value.slice(0, colon), value.slice(colon + 1).trim()]];
});

/** @throws ToolkitError `invalid-option` if neither the command line nor the options file has the base URL */
export function neededBaseUrl(given: string | undefined): string {
  if (given !== undefined) return given;
  throw invalidOption(
    'the base URL is missing: pass the base URL of the provider, such as http://localhost:3000, or write "baseUrl" to plant-store.config.json',
  );
}

/**
 * The certificates to trust that `--ca` names.
 *
 * @throws ToolkitError `invalid-option` if they cannot be read, or every certificate is trusted anyway
 */
export async function caFrom(
  flags: { readonly ca?: string; readonly insecure?: boolean },
  io: CommandIo,
): Promise<string | undefined> {
  if (flags.insecure === true) rejectIdle(flags, ['ca'], 'cannot be used with --insecure');
  return flags.ca === undefined ? undefined : await contentOf(flags.ca, 'the CA', io);
}

/** What `--cert` and `--key` name. */
export const CERT = 'a client certificate (PEM), with those that lead to its authority';
export const KEY = 'the private key of the client certificate (PEM, without a passphrase)';

/**
 * The client certificate and its key that `--cert` and `--key` name.
 *
 * @throws ToolkitError `invalid-option` if a file cannot be read
 */
export async function clientCertificateFrom(
  { cert, key }: { readonly cert?: string; readonly key?: string },
  io: CommandIo,
): Promise<{ readonly cert?: string; readonly key?: string }> {
  return {
    ...(cert !== undefined && { cert: await contentOf(cert, 'the client certificate', io) }),
    ...(key !== undefined && { key: await contentOf(key, 'the private key', io) }),
  };
}

/**
 * The content of a file that a flag names.
 *
 * @param what how an error names the file: "the CA"
 * @throws ToolkitError `invalid-option` if it cannot be read
 */
export async function contentOf(file: string, what: string, io: CommandIo): Promise<string> {
  try {
    return await io.readFile(file);
  } catch (cause) {
    throw invalidOption(`${what} cannot be read from ${file}: ${reasonOf(cause)}`, { cause });
  }
}
