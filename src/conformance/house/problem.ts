import { basename } from 'node:path';
import { visibleInLine } from '../../output/escape.js';

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
