import type { Command } from './command.js';

/** A command of the program. It is loaded only if it runs, or if the options file has to be read: so all start fast. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run the reference server',
    load: async () => (await import('./serve.js')).serve,
  },
  {
    name: 'check',
    summary: 'check a provider against the rules of the interface',
    load: async () => (await import('./check.js')).check,
  },
  {
    name: 'proxy',
    summary: 'forward traffic to a provider, and judge it',
    load: async () => (await import('./proxy.js')).proxy,
  },
  {
    name: 'verify',
    summary: 'verify a provider against pacts',
    load: async () => (await import('./verify.js')).verify,
  },
  {
    name: 'audit',
    summary: 'find what pacts expect that the interface does not promise',
    load: async () => (await import('./audit.js')).audit,
  },
  {
    name: 'validate',
    summary: 'compare saved messages with the interface',
    load: async () => (await import('./validate.js')).validate,
  },
  {
    name: 'rules',
    summary: 'list the rules of the interface, or explain one',
    load: async () => (await import('./rules.js')).rules,
  },
  {
    name: 'demo',
    summary: 'start the reference server on a free port and check it',
    load: async () => (await import('./demo.js')).demo,
  },
  {
    name: 'init',
    summary: 'write an options file, a workflow and a first test',
    load: async () => (await import('./init.js')).init,
  },
];
