import type { Fields } from '../conformance/exchange.js';
import { ToolkitError } from '../toolkit-error.js';
import { InvalidArgumentError } from './commander.js';
import type { CommandIo } from './io.js';
import type { ReporterFlag } from './reports.js';

/** Reads the argument of an option that is a whole number; which ones make sense is for the option to say. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Names with commas between them; the flag can be repeated. */
export function list(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('A name is empty.');
  return [...before, ...names];
}

/** A reporter, and after `=` the file that it writes to; the flag can be repeated. */
export function reporter(value: string, before: readonly ReporterFlag[] = []): readonly ReporterFlag[] {
  const [name = '', ...file] = value.split('=');
  if (value.endsWith('=')) throw new InvalidArgumentError('The name of the file is missing.');
  return [...before, { name, file: file.length === 0 ? undefined : file.join('=') }];
}

/** A header field, `Name: value`; the flag can be repeated. */
export function header(value: string, before: Fields = []): Fields {
  const colon = value.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('It must look like "Name: value".');
  return [...before, [value.slice(0, colon), value.slice(colon + 1).trim()]];
}

/** @throws ToolkitError where neither a flag nor the environment gives a token */
export function tokenFrom(flags: { readonly token?: string }, io: CommandIo): string {
  const token = flags.token ?? io.env.PLANT_STORE_TOKEN;
  if (token !== undefined && token !== '') return token;
  throw new ToolkitError(
    'invalid-option',
    'a token is needed that the provider accepts: --token or PLANT_STORE_TOKEN',
  );
}

/**
 * What stands in a file that a flag names.
 *
 * @param what what it is called in an error
 * @throws ToolkitError `invalid-option` where it cannot be read
 */
export async function contentOf(file: string, what: string, io: CommandIo): Promise<string> {
  try {
    return await io.readFile(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolkitError('invalid-option', `${what} cannot be read from ${file}: ${why}`, { cause });
  }
}
