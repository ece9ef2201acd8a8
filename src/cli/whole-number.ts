import { InvalidArgumentError } from './commander.js';

/** Reads the argument of an option that is a whole number; which ones make sense is for the option to say. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
