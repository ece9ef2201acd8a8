import { spawnSync } from 'node:child_process';

/**
 * Whether a command is there for the tests that need it. If `REQUIRE_TOOLS` is set, these run anyway, and fail without it.
 */
function has(command: string): boolean {
  return process.env.REQUIRE_TOOLS !== undefined || spawnSync(command, ['--version']).status === 0;
}

export const hasCurl = has('curl');
export const hasPython = has('python3');
