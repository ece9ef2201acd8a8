import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { baseUrlOf } from '../http/address.js';
import { IS_SINGLE_FILE } from '../package-files.js';
import { toolVersion } from '../report/version.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { defineCommand } from './command.js';
import { choice, type FlagsOf, flag } from './flag.js';
import { type ProjectAnswers, projectFiles, ROLES, type Role } from './init/files.js';
import type { CommandIo } from './io.js';

const BASE_URL = 'http://127.0.0.1:3000';
const START = 'npm start';

const initFlags = [
  choice(
    '--for <role>',
    'what you have: a server that implements the interface, or a program that calls one',
    ROLES,
  ),
  flag('--base-url <url>', `provider: its base URL (default: ${BASE_URL})`),
  flag('--start <command>', `provider: the command that starts it (default: ${START})`),
  flag('--force', 'replace files that exist'),
] as const;

/** `plant-store init`: writes the first files of a new user. */
export const init = defineCommand({
  description:
    `Writes plant-store.config.json${IS_SINGLE_FILE ? '' : ', a GitHub workflow and a first test'} to the working directory. ` +
    'Asks on a terminal for what the flags do not say. A file that exists stays as it is.',
  flags: initFlags,
  examples: `Examples:
  plant-store init
  plant-store init --for provider --start "go run ." --base-url http://127.0.0.1:8080
  plant-store init --for consumer

Exit status: 0: the files are there. 2: usage error, or a file cannot be written.`,
  hasFileOptions: false,
  async run(given, io) {
    const answers = await answersFrom(given.flags, io);
    for (const [path, text] of Object.entries(projectFiles(answers))) {
      const stats = await statsOf(path, io);
      if (stats !== undefined && given.flags.force !== true) {
        io.stdout.write(`kept      ${path}: it exists; --force replaces it\n`);
        continue;
      }
      // Writing to a pipe would wait for a reader.
      if (stats?.isFile() === false) throw invalidOption(`${path} cannot be written: it is no regular file`);
      await io.writeFile(path, text).catch((cause) => {
        throw invalidOption(`${path} cannot be written: ${reasonOf(cause)}`, { cause });
      });
      io.stdout.write(`${stats === undefined ? 'wrote   ' : 'replaced'}  ${path}\n`);
    }
    io.stdout.write((IS_SINGLE_FILE ? NEXT_IN_SINGLE_FILE : NEXT)[answers.role]);
    return 0;
  },
});

const NEXT: Readonly<Record<Role, string>> = {
  provider: `
Next:
  PLANT_STORE_TOKEN=… npx --no-install plant-store check   starts the provider and checks it; it must accept the token
  node --test                                              does the same as a test
`,
  consumer: `
Next:
  node --test                          tests the example client in plant-store.test.mjs; put your own there
  npx --no-install plant-store serve   runs the reference server on port 4010
`,
};

const NEXT_IN_SINGLE_FILE: Readonly<Record<Role, string>> = {
  provider: `
Next:
  PLANT_STORE_TOKEN=… plant-store check   starts the provider and checks it; the provider must accept the token
`,
  consumer: `
Next:
  plant-store serve   runs the reference server on port 4010
`,
};

/** @throws ToolkitError `invalid-option` if a flag is wrong, or is missing and there is no terminal to ask on */
async function answersFrom(flags: FlagsOf<typeof initFlags>, io: CommandIo): Promise<ProjectAnswers> {
  const questions = io.openQuestions?.();
  const ask = async (question: string, usual: string): Promise<string> =>
    (await questions?.ask(`${question} [${usual}] `)) ?? usual;
  try {
    if (flags.for === undefined && questions === undefined)
      throw invalidOption('there is no terminal to ask on: pass --for provider or --for consumer');
    const role =
      flags.for ??
      roleIn(await ask('Do you implement the plant store (provider), or call it (consumer)?', ROLES[0]));
    if (role === 'consumer' && (flags.baseUrl ?? flags.start) !== undefined)
      throw invalidOption('--base-url and --start are for a provider');
    const isAsked = role === 'provider';
    const start = flags.start ?? (isAsked ? await ask('Which command starts it?', START) : START);
    const given = flags.baseUrl ?? (isAsked ? await ask('What is its base URL then?', BASE_URL) : BASE_URL);
    return { role, baseUrl: baseUrlOf(given), start, install: await installation(io) };
  } finally {
    questions?.close();
  }
}

function roleIn(text: string): Role {
  const role = ROLES.find((one) => one.startsWith(text.toLowerCase()));
  if (role !== undefined) return role;
  throw invalidOption(`"${text}" is neither provider nor consumer${didYouMean(text, ROLES)}`);
}

/**
 * How a workflow installs this package. A project without Node has no package.json, and needs the file that `npm pack` wrote: a
 * package of this name in a registry is not ours.
 */
async function installation(io: CommandIo): Promise<string> {
  if ((await statsOf('package.json', io)) === undefined)
    return `npm install --no-save ./plant-store-contract-${toolVersion}.tgz # the file that npm pack wrote: commit it`;
  return (await statsOf('package-lock.json', io)) === undefined ? 'npm install' : 'npm ci';
}

/** What is there; `undefined` if nothing is. It is not read. */
async function statsOf(path: string, io: CommandIo): Promise<Stats | undefined> {
  return await stat(resolve(io.folder, path)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw invalidOption(`${path} cannot be read: ${reasonOf(cause)}`, { cause });
  });
}
