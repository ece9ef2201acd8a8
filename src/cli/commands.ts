import type { Command } from './command.js';

/** A command of the program. It is loaded only if it runs, so that all start fast. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  entry('serve', 'run the reference server', () => import('./serve.js')),
  entry('check', 'check a provider against the rules of the interface', () => import('./check.js')),
  entry('proxy', 'forward traffic to a provider, and judge it', () => import('./proxy.js')),
  entry('verify', 'verify a provider against pacts', () => import('./verify.js')),
  entry('audit', 'find what pacts expect that the interface does not promise', () => import('./audit.js')),
  entry('validate', 'compare saved messages with the interface', () => import('./validate.js')),
  entry('rules', 'list the rules of the interface, or explain one', () => import('./rules.js')),
  entry('demo', 'start the reference server on a free port and check it', () => import('./demo.js')),
  entry('init', 'write an options file, a workflow and a first test', () => import('./init.js')),
];

function entry(name: string, summary: string, load: CommandEntry['load']): CommandEntry {
  return { name, summary, load };
}
