import type { ControlOptions } from '../server/control/start-control.js';
import { invalidOption } from '../toolkit-error.js';
import { type FlagsOf, flag, wholeNumber } from './command.js';
import type { CommandIo } from './io.js';

/** The flags of a control interface, and of the page on it. */
export const controlFlags = [
  flag(
    '--ui',
    'also start a page that shows what happens, on the control port; open its address in a browser',
  ),
  flag('--control-port <number>', 'also start the control interface; 0 is a free port', wholeNumber),
  flag('--control-host <name>', 'address of the control interface (default: 127.0.0.1)'),
  flag(
    '--control-token <token>',
    'token of the control interface, needed on any other address (default: PLANT_STORE_CONTROL_TOKEN)',
  ),
] as const;

/**
 * Where the control interface listens; `undefined` for none. The page needs one, so it takes a free port.
 *
 * @throws ToolkitError `invalid-option` if there is none, and a flag is for it
 */
export function controlOptionsFrom(
  flags: FlagsOf<typeof controlFlags>,
  { env }: CommandIo,
): ControlOptions | undefined {
  const { controlHost: host, controlToken, ui = false } = flags;
  const port = flags.controlPort ?? (ui ? 0 : undefined);
  if (port === undefined) {
    if (host === undefined && controlToken === undefined) return undefined;
    throw invalidOption('--control-host and --control-token need --control-port or --ui');
  }
  const token = controlToken ?? (env.PLANT_STORE_CONTROL_TOKEN || undefined);
  return { port, ...(host && { host }), ...(token !== undefined && { token }) };
}
