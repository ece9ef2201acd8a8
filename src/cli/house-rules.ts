import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HouseRule } from '../conformance/house.js';
import { visibleInLine } from '../report/escape.js';
import { invalidOption, reasonOf, type ToolkitError } from '../toolkit-error.js';
import { contentOf } from './command.js';
import type { CommandIo } from './io.js';

/**
 * The house rules in the modules that `--rules` names. They run with the rights of the user.
 *
 * @throws ToolkitError `invalid-option` if a module cannot be loaded, or has no list as its default export. What is in the
 *   list is checked with the other options.
 */
export async function houseRulesFrom(files: readonly string[], io: CommandIo): Promise<readonly HouseRule[]> {
  return (await Promise.all(files.map((file) => rulesIn(file, io)))).flat();
}

async function rulesIn(file: string, io: CommandIo): Promise<readonly HouseRule[]> {
  const wrong = (why: string, cause?: unknown): ToolkitError =>
    invalidOption(`the house rules in ${file} ${why}`, { cause });
  // An import of what is not there names this package, and not the file.
  const path = resolve(io.folder, file);
  await contentOf(path, 'the house rules', io);
  const { default: rules } = await import(pathToFileURL(path).href).catch((cause) => {
    throw wrong(`cannot be loaded: ${visibleInLine(reasonOf(cause))}`, cause);
  });
  if (!Array.isArray(rules) || rules.length === 0)
    throw wrong('must be a list, and the default export: export default [ … ]');
  return rules;
}
