import { basename } from 'node:path';
import { visibleInLine } from '../../report/escape.js';
import { didYouMean } from '../../suggestion.js';
import { invalidOption } from '../../toolkit-error.js';

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

const MOST_SHOWN = 300;

/** What a function of the user threw or returned: `TypeError: x is not a function (house-rules.js:12:5)`. */
export function valueInWords(value: unknown): string {
  const text = value instanceof Error ? errorInWords(value) : kindOf(value);
  return visibleInLine(text).slice(0, MOST_SHOWN);
}

function errorInWords({ name, message, stack = '' }: Error): string {
  const [, file, place] = /^\s+at .*?([^\s()]+?)(:\d+:\d+)\)?$/m.exec(stack) ?? [];
  const where = file === undefined ? '' : ` (${basename(file.split('?')[0] ?? '')}${place})`;
  return `${message === '' ? name : `${name}: ${message}`}${where}`;
}

function kindOf(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (value === null || typeof value !== 'object') return `${JSON.stringify(value) ?? typeof value}`;
  return Array.isArray(value) ? 'a list' : `an object with ${Object.keys(value).join(', ') || 'nothing'}`;
}
