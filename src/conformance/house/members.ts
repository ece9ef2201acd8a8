import { didYouMean } from '../../output/suggestion.js';
import { invalidOption } from '../../toolkit-error.js';
import { valueInWords } from './problem.js';

/** The members of an object, and what each of them must be. */
export type Members<T> = Readonly<Record<keyof T & string, (value: unknown) => boolean>>;

/**
 * Checks an object that may come from a module without types.
 *
 * @param name how an error names the object: "the house rule house/date"
 * @throws ToolkitError `invalid-option` if a member is missing or wrong, or there is no such member
 */
export function checkMembers<T>(value: object, members: Members<T>, name: string): void {
  const given = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((member) => !Object.hasOwn(members, member));
  if (unknown !== undefined)
    throw invalidOption(
      `${name} has the unknown member ${JSON.stringify(unknown)}${didYouMean(unknown, Object.keys(members))}`,
    );
  for (const [member, isRight] of Object.entries<(value: unknown) => boolean>(members)) {
    const own = given[member];
    if (isRight(own)) continue;
    throw invalidOption(
      own === undefined
        ? `${name} has no "${member}"`
        : `${name} has a wrong "${member}": ${valueInWords(own)}`,
    );
  }
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

export function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

export function isOneOf(...words: readonly string[]): (value: unknown) => boolean {
  return (value) => words.some((word) => word === value);
}

export function isOptional(isRight: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isRight(value);
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
