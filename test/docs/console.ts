import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { InstalledProject } from '../installed-project.js';
import { freePort } from '../package/free-port.js';
import { steady } from '../steady.js';

/** A command of a console block, and the output that the page shows. */
export interface ShownCommand {
  readonly command: string;
  readonly output: string;
}

/** The commands of a block: lines that begin with `$ `. A command goes on after a line that ends with `\`. */
export function shownCommands(code: string): ShownCommand[] {
  const shown: { command: string; output: string }[] = [];
  let continues = false;
  for (const line of code.trimEnd().split('\n')) {
    const last = shown.at(-1);
    if (continues && last !== undefined) last.command += `\n${line}`;
    else if (line.startsWith('$ ')) shown.push({ command: line.slice(2), output: '' });
    else if (last === undefined) throw new Error(`no command comes before the output: ${line}`);
    else last.output += `${line}\n`;
    continues = (continues || line.startsWith('$ ')) && line.endsWith('\\');
  }
  return shown;
}

const ADDRESS_PORT = /(?<=\/\/(?:127\.0\.0\.1|localhost):|--(?:control-)?port[ =]|PORT=)\d{4,5}/g;

/** A project with this package installed, in which the console blocks of one page run. */
export class Console {
  private readonly ports = new Map<string, number>();

  private constructor(private readonly project: InstalledProject) {}

  static async open(): Promise<Console> {
    const project = await InstalledProject.create();
    const main = join(project.folder, 'node_modules/plant-store-contract/dist/cli/main.js');
    // npx itself takes half a second to find a command. Like this one, it passes no signal on.
    const installed = 'node_modules/.bin/plant-store-contract';
    const npx = `name=$1; shift; case $name in plant-store-contract) ${installed} "$@"; exit;; vitest) node_modules/vitest/vitest.mjs "$@"; exit;; esac; exit 127`;
    const plantStore = `exec node '${main}' "$@"`;
    for (const [name, line] of Object.entries({
      'bin/npx': npx,
      'bin/plant-store-contract': plantStore,
      [installed]: plantStore,
    })) {
      project.write(name, `#!/bin/sh\n${line}\n`);
      chmodSync(join(project.folder, name), 0o755);
    }
    return new Console(project);
  }

  /** The free port that takes the place of one that the page names. */
  async portFor(named: string): Promise<number> {
    const port = this.ports.get(named) ?? (await freePort());
    this.ports.set(named, port);
    return port;
  }

  async write(name: string, text: string): Promise<void> {
    this.project.write(name, await this.withFreePorts(text));
  }

  private async withFreePorts(text: string): Promise<string> {
    for (const named of text.match(ADDRESS_PORT) ?? []) await this.portFor(named);
    return text.replaceAll(ADDRESS_PORT, (named) => String(this.ports.get(named)));
  }

  /**
   * Runs commands one after the other in one shell, and ends what they leave running. What a command starts with `&` may
   * write later: its output is awaited until it is what is shown.
   *
   * @returns what each command wrote, to both streams, with the ports of the page
   */
  async run(shown: readonly ShownCommand[]): Promise<string[]> {
    const asShown = (text: string): string => {
      let result = text;
      for (const [port, real] of this.ports) result = result.replaceAll(`:${real}`, `:${port}`);
      return result;
    };
    const shell = new Shell(this.project.folder);
    const outputs: string[] = [];
    for (const { command, output } of shown) {
      const here = await this.withFreePorts(command);
      const isComplete = (text: string): boolean =>
        !command.endsWith('&') || isShownAs(asShown(text), output);
      outputs.push(asShown(await shell.run(here, isComplete)));
    }
    await shell.end();
    return outputs;
  }
}

/** Long enough for what starts on a busy machine. */
const PATIENCE_MS = 60_000;
const END = '\u001e';

/** A shell that takes one command after the other. */
class Shell {
  private output = '';
  private readonly child: ChildProcess;

  constructor(folder: string) {
    const { PATH = '' } = process.env;
    const env = { PATH: join(folder, 'bin') + delimiter + PATH, HOME: folder, TMPDIR: join(folder, 'tmp') };
    // The status of a command is still there for the next one.
    const loop = `while IFS= read -r -d '' -u 3 command; do (exit $status); eval "$command"; status=$?; printf '\\036'; done`;
    this.child = spawn('bash', ['-c', `exec 2>&1; status=0; ${loop}`], {
      cwd: folder,
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      // With its background processes it is one group, which ends at once.
      detached: true,
    });
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.output += chunk;
    });
  }

  async run(command: string, isComplete: (output: string) => boolean): Promise<string> {
    this.output = '';
    (this.child.stdio[3] as Writable).write(`${command}\0`);
    const started = performance.now();
    const written = (): string => this.output.replace(END, '');
    const isOver = (): boolean => this.output.includes(END) && isComplete(written());
    while (!isOver() && performance.now() - started < PATIENCE_MS) await sleep(5);
    return written();
  }

  async end(): Promise<void> {
    const closed = once(this.child, 'close');
    process.kill(-(this.child.pid as number), 'SIGKILL');
    await closed;
  }
}

/** Whether output is what a page shows. A line `…` there stands for any lines, `…` within a line for any text. */
export function isShownAs(actual: string, shown: string): boolean {
  const pattern = steady(shown.trimEnd()).split('\n').map(lineAsShown);
  return new RegExp(`^${pattern.join('')}$`).test(`${steady(actual.trimEnd())}\n`);
}

/** Where a line ends depends on how long the texts are that are left out. */
function lineAsShown(line: string): string {
  if (line.trim() === '…') return '(?:.*\\n)*?';
  if (!line.includes('…')) return `${escaped(line)}\\n`;
  return `${line.split('…').map(escaped).join('.*').replaceAll(' ', '[ \\n]')}[ \\n]`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
