import { spawnSync } from 'node:child_process';

/**
 * Whether a command is there for the tests that need it: whether it succeeds with `--version`, or with other arguments. If
 * `REQUIRE_TOOLS` is set, these run anyway, and fail without it.
 */
export function has(command: string, ...args: readonly string[]): boolean {
  const asked = args.length === 0 ? ['--version'] : args;
  return process.env.REQUIRE_TOOLS !== undefined || spawnSync(command, asked).status === 0;
}

export const hasCurl = has('curl');
export const hasPython = has('python3');
