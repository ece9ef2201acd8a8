import type { ControlOptions } from '../server/control/control.js';
import { invalidOption } from '../toolkit-error.js';
import { type FlagsOf, flag, wholeNumber } from './command.js';
import type { CommandIo } from './io.js';
import { flagOrVariable } from './token.js';

/** The flags of the control interface. */
export const controlFlags = [
  flag(
    '--control-port <number>',
    'also start the control interface, and a page for your browser, on this port; 0 is a free port',
    wholeNumber,
  ),
  flag('--control-host <name>', 'address of the control interface (default: 127.0.0.1)'),
  flag(
    '--control-token <token>',
    'token of the control interface, needed on any other address (default: PLANT_STORE_CONTROL_TOKEN)',
  ),
] as const;

/**
 * Where the control interface listens; `undefined` for none.
 *
 * @throws ToolkitError `invalid-option` if there is none, and a flag is for it
 */
export function controlOptionsFrom(
  flags: FlagsOf<typeof controlFlags>,
  io: CommandIo,
): ControlOptions | undefined {
  const { controlHost: host, controlToken, controlPort: port } = flags;
  if (port === undefined) {
    if (host === undefined && controlToken === undefined) return undefined;
    throw invalidOption('--control-host and --control-token need --control-port');
  }
  const token = flagOrVariable(controlToken, '--control-token', 'PLANT_STORE_CONTROL_TOKEN', io);
  return { port, ...(host && { host }), ...(token !== undefined && { token }) };
}
