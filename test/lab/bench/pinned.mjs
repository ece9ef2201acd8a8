import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const CORE_COUNT = availableParallelism();
/** What measures and what is measured must not share a core. */
const CORES = { server: 0, generator: 1 };

/** Whether processes can be pinned to cores: on Linux, with two cores. */
export const CAN_PIN = CORE_COUNT > 1 && spawnSync('taskset', ['--version']).error === undefined;

/** A command line that runs a program on the core of its role, where that is possible. */
export function pinned(role, ...argv) {
  return CAN_PIN ? ['taskset', '--cpu-list', String(CORES[role]), ...argv] : argv;
}

/** Runs work in this process on the core of a role, for example because it reads what servers print. */
export async function onCoreOf(role, work) {
  moveTo(String(CORES[role]));
  try {
    return await work();
  } finally {
    moveTo(`0-${CORE_COUNT - 1}`);
  }
}

function moveTo(cores) {
  if (CAN_PIN) spawnSync('taskset', ['--pid', '--cpu-list', cores, String(process.pid)]);
}
