// Starts the provider and runs a command against it: {url} in the arguments becomes its URL, PLANT_STORE_TOKEN is its token.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { serve } from './serve.js';

const PLANT_STORE_TOKEN = randomUUID();
const provider = await serve(PLANT_STORE_TOKEN);
const [command, ...args] = process.argv.slice(2);
const child = spawn(
  command,
  args.map((argument) => argument.replace('{url}', provider.url)),
  { env: { ...process.env, PLANT_STORE_TOKEN }, stdio: 'inherit' },
);
const [status] = await once(child, 'exit');
await provider.close();
process.exitCode = status ?? 1;
