import type { IncomingMessage } from 'node:http';
import { headerValues } from '../http/fields.js';
import { limitInWords } from '../http/limits.js';
import { decodeContent } from '../validation/content-coding.js';
import type { KeptBody } from './kept-body.js';

/**
 * Waits for a whole response, for a client that reads without limits and undoes content codings.
 *
 * @param kept gets the body
 * @param longest the longest body in bytes, as received and again after its content codings are undone
 * @throws Error if the response is longer, or cannot be decoded, or is incomplete; its message is a sentence
 */
export function untilWhole(received: IncomingMessage, kept: KeptBody, longest: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(why));
    received.on('data', () => {
      if (kept.isTooLong) fail(`the response is longer than ${limitInWords(longest)}`);
    });
    received.once('error', () => fail('the response is incomplete'));
    received.once('end', () => {
      const { body } = kept.of(received);
      const codings = headerValues(received.rawHeaders, 'content-encoding');
      // A response to HEAD has codings, but no body.
      const decoded = body.length === 0 ? body : decodeContent(body, codings, longest);
      if (typeof decoded === 'string') fail(`the response cannot be read: ${decoded}`);
      else resolve();
    });
  });
}
