import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { limitInWords, limits } from '../../../http/limits.js';

/** Gives the bytes of a file beside a HAR, or a sentence that says why they are not there. */
export type ReadAttached = (name: string) => Uint8Array | string;

/** Playwright names a file by the hash of its content. A path might lead to any file of the user. */
const NAME = /^\w[\w.-]{0,99}$/;

/**
 * Reads bodies that Playwright attaches to a HAR as files. All of them together may be as long as a HAR.
 *
 * @param har the HAR file; `-` is standard input, and has no file beside it
 */
export function filesBeside(har: string): ReadAttached {
  let left: number = limits.messages;
  return (name) => {
    if (!NAME.test(name)) return 'its body is in a file that is not beside the HAR file';
    if (har === '-') return `its body is in ${name}; name the HAR file beside it`;
    try {
      const path = join(dirname(har), name);
      const file = lstatSync(path);
      // A link might lead to any file as well.
      if (!file.isFile()) return `its body is in ${name}, which is not a regular file`;
      if (file.size > limits.savedBody)
        return `its body is in ${name}, which is larger than ${limitInWords(limits.savedBody)}`;
      left -= file.size;
      if (left < 0) return `the files with bodies are larger than ${limitInWords(limits.messages)} together`;
      return readFileSync(path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      return `its body is in ${name}, which ${code === 'ENOENT' ? 'is not beside the HAR file' : 'cannot be read'}`;
    }
  };
}
