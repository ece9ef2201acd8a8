import { definedOnly } from '../defined-only.js';
import { invalidOption } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import { checkOptions } from './option-checks.js';
import type { ListenOptions, Settings } from './options.js';

/** The options that can be changed while a server runs. */
export const runtimeOptions = [
  'authenticationFailureStatus',
  'challenge',
  'authorizationSyntax',
  'duplicateAuthorization',
  'rejections',
  'errorCodes',
  'duplicateId',
  'duplicateName',
  'unknownFields',
  'duplicateKeys',
  'fractionalIds',
  'byteOrderMark',
  'mediaTypes',
  'namePattern',
  'tagPattern',
  'delayMs',
] as const;

/** The options that can be changed while a server runs, with their values. */
export type RuntimeOptions = Readonly<Partial<Pick<ListenOptions, (typeof runtimeOptions)[number]>>>;

/** The options of a server that can be changed. A pattern is text. */
export function runtimeOptionsOf(settings: Settings): RuntimeOptions {
  const entries = runtimeOptions.map((name) => {
    const value = settings[name];
    return [name, value instanceof RegExp ? value.source : value] as const;
  });
  return definedOnly(Object.fromEntries(entries));
}

/**
 * Checks changes of options.
 *
 * @throws ToolkitError `invalid-option`, naming the option
 */
export function checkChanges(changes: unknown): RuntimeOptions {
  if (!isObject(changes)) throw invalidOption('the options must be an object');
  const fixed = Object.keys(changes).find((name) => !(runtimeOptions as readonly string[]).includes(name));
  if (fixed !== undefined)
    throw invalidOption(
      `the option ${JSON.stringify(fixed)} cannot be changed while the server runs; expected one of: ${runtimeOptions.join(', ')}`,
    );
  checkOptions(changes as ListenOptions);
  return definedOnly(changes) as RuntimeOptions;
}
