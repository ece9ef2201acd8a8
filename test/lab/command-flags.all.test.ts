import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const exec = promisify(execFile);

test.each(['fuzz', 'torture', 'mutation', 'runtimes', 'bench', 'bench/peers', 'mutants'])(
  'the command in test/%s takes no unknown flag, and says so',
  async (folder) => {
    const script = new URL(`${folder}/main.mjs`, import.meta.url).pathname;
    const { code, stderr } = await exec(process.execPath, [script, '--nope']).catch((error) => error);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Unknown option '--nope'/m);
    // No stack.
    expect(stderr).not.toMatch(/^ +at /m);
  },
);
