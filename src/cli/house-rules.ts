import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HouseRule } from '../conformance/house.js';
import { visibleInLine } from '../report/escape.js';
import { invalidOption, reasonOf, type ToolkitError } from '../toolkit-error.js';
import type { CommandIo } from './io.js';

/**
 * The house rules in the modules that `--rules` names. They run with the rights of the user.
 *
 * @throws ToolkitError `invalid-option` if a module cannot be loaded, or has no list as its default export. What is in the
 *   list is checked with the other options.
 */
export async function houseRulesFrom(files: readonly string[], io: CommandIo): Promise<readonly HouseRule[]> {
  const rules: HouseRule[] = [];
  for (const file of files) rules.push(...(await rulesIn(file, io)));
  return rules;
}

async function rulesIn(file: string, io: CommandIo): Promise<readonly HouseRule[]> {
  const wrong = (why: string, cause?: unknown): ToolkitError =>
    invalidOption(`the house rules in ${file} ${why}`, { cause });
  // An import of what is not there names this package, and not the file.
  const path = resolve(io.folder, file);
  await io.readFile(path).catch((cause) => {
    throw wrong(`cannot be read: ${reasonOf(cause)}`, cause);
  });
  const module: { readonly default?: unknown } = await import(pathToFileURL(path).href).catch((cause) => {
    throw wrong(`cannot be loaded: ${reasonForUser(cause)}`, cause);
  });
  const { default: rules } = module;
  if (rules === undefined) throw wrong('have no default export; write: export default [ … ]');
  if (!Array.isArray(rules)) throw wrong('must be a list: export default [ … ]');
  if (rules.length === 0) throw wrong('are an empty list');
  return rules;
}

function reasonForUser(cause: unknown): string {
  const { code } = Object(cause) as { readonly code?: unknown };
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `Node ${process.versions.node} reads no such file; compile TypeScript first, or use Node 22.18 or later`;
  return visibleInLine(reasonOf(cause));
}
