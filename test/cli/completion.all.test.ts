import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../tools.js';
import { plantStore } from './console.js';

const exec = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'plant-store-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = await plantStore(['completion', shell]);
    expect(status).toBe(0);
    writeFileSync(join(folder, shell), stdout);
  }
  writeFileSync(join(folder, 'a-certificate.pem'), '');
});

/** Runs a shell in a folder with one file. */
async function output(shell: string, ...argv: readonly string[]): Promise<string> {
  return (
    await exec(shell, [...argv], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm' },
    })
  ).stdout;
}

/** What each shell offers for a line that is typed so far. */
const SHELLS: Readonly<Record<string, (line: string, until: string) => Promise<readonly string[]>>> = {
  async bash(line) {
    const words = line.split(' ').map((word) => `'${word}'`);
    const script = `source ./bash; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _plant_store; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await output('bash', '--norc', '-c', script)).split('\n').filter((one) => one !== '');
  },
  async fish(line) {
    const found = await output('fish', '--no-config', '-c', `source ./fish; complete -C '${line}'`);
    return found.split('\n').flatMap((one) => one.split('\t')[0] || []);
  },
  // A zsh on a terminal of its own: Tab writes what it offers.
  async zsh(line, until) {
    writeFileSync(join(folder, 'inside.zsh'), 'PS1=; autoload -Uz compinit; compinit -u -D; source ./zsh');
    const script = `
      zmodload zsh/zpty
      zpty -b shell 'zsh -f -i'
      zpty -w shell 'source ./inside.zsh; print READY'
      seen=; while [[ $seen != *READY$'\\r'* ]]; do zpty -r shell text && seen+=$text; done
      zpty -w -n shell ${JSON.stringify(line)}$'\\t\\t'
      seen=; for i in {1..400}; do while zpty -r -t shell text; do seen+=$text; done; [[ $seen == *${JSON.stringify(until)}* ]] && break; sleep 0.05; done
      print -r -- $seen`;
    const found = await output('zsh', '-f', '-c', script);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal has such sequences.
    const text = found.replaceAll(/\u001b\[[\d;?]*[a-zA-Z]|\u001b[=>]|\u0007/g, ' ');
    return text.split(/\s+/);
  },
};

describe.each(Object.entries(SHELLS))('%s', (shell, offers) => {
  test.skipIf(!has(shell))('completes commands, flags, choices and files', async () => {
    const offered = async (line: string, one: string): Promise<string> => {
      const text = (await offers(line, one)).join(' ');
      expect(text).toContain(one);
      return text;
    };
    expect(await offered('plant-store ', 'verify')).toMatch(/\bcheck\b/);
    await offered('plant-store val', 'validate');
    expect(await offered('plant-store check --st', '--start')).not.toContain('--token');
    expect(await offered('plant-store serve --log ', 'silent')).toMatch(/\bjson\b/);
    expect(await offered('plant-store completion ', 'zsh')).toMatch(/\bbash\b/);
    if (shell !== 'bash') await offered('plant-store check --ca a-cert', 'a-certificate.pem');
  });

  test.skipIf(!has(shell))('reads the script without an error', async () => {
    expect(await output(shell, '-n', join(folder, shell))).toBe('');
  });
});

test.skipIf(!has('bash'))('bash completes files itself where the script has nothing', async () => {
  expect(await SHELLS.bash?.('plant-store check --ca a-cert', '')).toEqual([]);
  expect(await output('bash', '--norc', '-c', 'source ./bash; complete -p plant-store')).toContain(
    '-o default',
  );
});

test('every command and every flag of the help is in each script', async () => {
  const { stdout } = await plantStore(['--help']);
  const commands = [...stdout.slice(stdout.indexOf('\nCommands:')).matchAll(/^ {2}([a-z]+)/gm)].map(
    ([, name = '']) => name,
  );
  expect(commands.length).toBeGreaterThan(8);
  for (const shell of Object.keys(SHELLS)) {
    const script = (await plantStore(['completion', shell])).stdout;
    for (const command of commands) {
      expect(script).toMatch(new RegExp(`\\b${command}\\b`));
      const help = (await plantStore([command, '--help'])).stdout;
      for (const [, flag = ''] of help.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm))
        if (command !== 'help') expect(script).toMatch(new RegExp(`(?:--|-l )${flag}(?![\\w-])`));
    }
  }
});

test('an unknown shell is a usage error', async () => {
  const { status, stderr } = await plantStore(['completion', 'tcsh']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish.')]);
});
