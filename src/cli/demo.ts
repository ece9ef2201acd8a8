import type { Command } from 'commander';
import { IS_SINGLE_FILE } from '../package-files.js';
import { check } from './check.js';
import { type CheckFlags, withCheckOptions } from './check-options.js';
import { rejectIdle } from './idle-flags.js';
import type { CommandIo } from './io.js';
import { tokenFrom } from './token.js';

/**
 * `plant-store demo [base-url]` shows a check. It is a command of its own because `check` without a URL must never
 * pass: in a script, an empty variable would look like a provider that conforms.
 */
export function addDemoCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  withCheckOptions(program.command('demo'))
    .argument('[base-url]', 'check this provider instead, as `check` does')
    .summary('start the reference server on a free port and check it')
    .description(
      'Starts the reference server on a free port, checks it as `check` does, and says what to try next.',
    )
    .action(async (baseUrl: string | undefined, flags: CheckFlags) => {
      if (baseUrl !== undefined) {
        conclude(await check(baseUrl, () => tokenFrom(flags, io), flags, io));
        return;
      }
      rejectIdle(
        flags,
        ['token', 'tokenCommand', 'ca', 'insecure', 'cert', 'key', 'proxy'],
        'needs a base URL: without one, the demo is its own provider',
      );
      const { startPlantStore } = await import('../server/listen.js');
      const store = await startPlantStore();
      // Nobody reaches it through a proxy.
      Object.assign(flags, { proxy: '' });
      try {
        conclude(await check(store.url, () => ({ option: store.token, soFar: [store.token] }), flags, io));
        io.stderr.write(NEXT);
      } finally {
        await store.close();
      }
    });
}

// In a clone, npx does not find it.
const IN_NODE = import.meta.url.includes('/node_modules/') ? 'npx plant-store' : 'node dist/cli/main.js';
const PROGRAM = IS_SINGLE_FILE ? 'plant-store' : IN_NODE;
const NEXT = `
Try next:
  ${PROGRAM} check http://localhost:3000 --token secret   check your own provider
  ${PROGRAM} serve --port 4010 --token secret             run the reference server
  ${PROGRAM} --help                                       see all commands
`;
