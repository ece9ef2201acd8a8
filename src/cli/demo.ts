import { checkProvider } from './check.js';
import { demoFlags } from './check-options.js';
import { defineCommand } from './command.js';

/**
 * `plant-store-contract demo` shows a check. It is a command of its own because `check` without a URL must never pass: in a
 * script, an empty variable would look like a provider that conforms.
 */
export const command = defineCommand({
  description:
    'Starts the reference server on a free port, checks it as `check` does, and says what to try next.',
  flags: demoFlags,
  hasFileOptions: false,
  async run(given, io) {
    const { startPlantStore } = await import('../server/listen.js');
    const store = await startPlantStore();
    try {
      const status = await checkProvider(store.url, () => store.token, given, io);
      io.stderr.write(
        `\nNext, check your own provider: ${PROGRAM} check http://localhost:3000 --token secret\n`,
      );
      return status;
    } finally {
      await store.close();
    }
  },
});

// In a clone, npx does not find it.
const PROGRAM = import.meta.url.includes('/node_modules/')
  ? 'npx plant-store-contract'
  : 'node dist/cli/main.js';
