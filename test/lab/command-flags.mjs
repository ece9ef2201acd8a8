// @ts-check
import { parseArgs } from 'node:util';

/**
 * Reads the flags of a command for developers. An unknown flag ends the process with status 2, the help and a sentence.
 *
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {Config} config
 * @param {string} [help]
 * @returns {ReturnType<typeof parseArgs<Config>>}
 */
export function commandFlags(config, help) {
  try {
    return parseArgs(config);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    process.stderr.write(`${help === undefined ? '' : `${help}\n`}${cause.message}\n`);
    process.exit(2);
  }
}
