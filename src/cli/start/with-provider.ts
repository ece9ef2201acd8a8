import { duration, type FlagsOf, flag, type Given } from '../command.js';
import type { CommandIo } from '../io.js';
import type { Provider, StartAgain } from './awaited-provider.js';

/** The flags of a command that can start its provider, or wait for it. */
export const startFlags = [
  flag(
    '--start <command>',
    'start the provider with this command, and stop it with all its processes at the end',
  ),
  flag(
    '--wait <duration>',
    'wait for the provider to answer, such as 30s or 2m (default: 30s with --start, otherwise not at all)',
    duration,
  ),
] as const;

/** How long a provider that was started may take to answer, unless a flag says otherwise. */
const WAIT_MS = 30_000;

/**
 * Does the work of a command while the provider runs: starts it, waits until it answers, and stops it, as the flags say.
 *
 * @throws ToolkitError `provider-not-testable` if it does not answer. Also what the work throws
 */
export async function withProvider<T>(
  { flags: { start, wait } }: Given<FlagsOf<typeof startFlags>>,
  provider: Provider,
  io: CommandIo,
  work: (startAgain?: StartAgain) => Promise<T>,
): Promise<T> {
  if (start === undefined && wait === undefined) return await work();
  const { untilThere, whileStarted } = await import('./awaited-provider.js');
  const withinMs = wait ?? WAIT_MS;
  if (start !== undefined) return await whileStarted(start, io.folder, provider, withinMs, io, work);
  await untilThere(provider, withinMs, io);
  return await work();
}
