import { findCommand } from './find-command.mjs';
import { runCommand } from './processes.mjs';

/**
 * Finds a command and asks for its version.
 *
 * @param {string} name
 * @param {string} [tools] the folder that `--install` has filled
 * @param {readonly string[]} [asked] the arguments that make it print its version
 */
export async function findTool(name, tools, asked = ['--version']) {
  const command = await findCommand(name, tools);
  if (command === undefined) return { missing: 'not installed here' };
  const { stdout, stderr } = await runCommand(command, asked);
  const [version] = /\d+\.\d+\.\d+/.exec(stdout + stderr) ?? [];
  return version === undefined ? { missing: `${name} does not say its version` } : { version };
}
