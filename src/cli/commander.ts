import { createRequire } from 'node:module';

// Commander is CommonJS behind a wrapper that node scans for names; required as it is, the command line starts sooner.
const commander: typeof import('commander') = createRequire(import.meta.url)('commander');

export const { Command, CommanderError, InvalidArgumentError, Option } = commander;
