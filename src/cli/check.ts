import type { Command } from 'commander';
import type { Plan } from '../conformance/plan.js';
import { ToolkitError } from '../toolkit-error.js';
import { type CommandIo, wantsColor } from './io.js';
import { wholeNumber } from './whole-number.js';

/** The flags of `check`, which `demo` has as well. */
export interface CheckFlags {
  readonly token?: string;
  readonly reporter?: readonly ReporterFlag[];
  readonly timeout?: number;
  readonly concurrency?: number;
}

/** A reporter, and the file that it writes to; standard output without one. */
interface ReporterFlag {
  readonly name: string;
  readonly file: string | undefined;
}

/** `plant-store check <base-url>`: judges a provider. */
export function addCheckCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  withCheckOptions(program.command('check'))
    .argument('<base-url>', 'where the provider is; /plants is appended')
    .summary('check a provider against the rules of the interface')
    .description(
      'Checks a provider of POST /plants against the rules of the interface. It says how many plants it creates; ' +
        'it cannot delete them, and the JSON report lists their ids.',
    )
    .action(async (baseUrl: string, flags: CheckFlags) => {
      conclude(await check(baseUrl, tokenFrom(flags, io), flags, io));
    });
}

/** The options that a check takes, on any command. */
export function withCheckOptions(command: Command): Command {
  return command
    .option('--token <token>', 'a token that the provider accepts (default: PLANT_STORE_TOKEN)')
    .option(
      '--reporter <name[=file]>',
      'text or json; to a file where one is named; can be repeated (default: text)',
      collectReporter,
    )
    .option('--timeout <ms>', 'how long a request may take (default: 5000)', wholeNumber)
    .option('--concurrency <number>', 'how many requests are under way at once (default: 16)', wholeNumber);
}

/** @throws ToolkitError where neither a flag nor the environment gives a token */
export function tokenFrom(flags: CheckFlags, io: CommandIo): string {
  const token = flags.token ?? io.env.PLANT_STORE_TOKEN;
  if (token !== undefined && token !== '') return token;
  throw new ToolkitError(
    'invalid-option',
    'a token is needed that the provider accepts: --token or PLANT_STORE_TOKEN',
  );
}

/** Checks, and writes every report that was asked for. */
export async function check(
  baseUrl: string,
  token: string,
  flags: CheckFlags,
  io: CommandIo,
): Promise<number> {
  const [{ checkConformance }, { checkSettings }, { planCheck }, { exitCode }, { reporters }] =
    await Promise.all([
      import('../conformance/check.js'),
      import('../conformance/options.js'),
      import('../conformance/plan.js'),
      import('../conformance/exit-code.js'),
      import('../reporters/index.js'),
    ]);
  const chosen = flags.reporter ?? [{ name: 'text', file: undefined }];
  const unknown = chosen.find(({ name }) => !Object.hasOwn(reporters, name));
  if (unknown !== undefined) {
    const names = Object.keys(reporters).join(', ');
    throw new ToolkitError('invalid-option', `there is no reporter "${unknown.name}"; there are: ${names}`);
  }
  const options = {
    baseUrl,
    token,
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout }),
    ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
  };
  // A wrong option is told before anything else is.
  announce((await checkSettings(options)).url, planCheck(), io);
  const report = await checkConformance(options);
  for (const { name, file } of chosen) {
    const write = reporters[name as keyof typeof reporters];
    if (file === undefined) io.stdout.write(write(report, { color: wantsColor(io.stdout, io.env) }));
    else await writeReport(file, write(report), io);
  }
  return exitCode(report.conclusion);
}

/** On standard error, so that a report on standard output stands alone. */
function announce(url: URL, { requests, plants }: Plan, io: CommandIo): void {
  io.stderr.write(
    `checking ${url.href} with ${requests} requests; ${plants} of them create a plant, more where bad requests are accepted\n`,
  );
}

async function writeReport(file: string, text: string, io: CommandIo): Promise<void> {
  try {
    await io.writeFile(file, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolkitError('invalid-option', `the report cannot be written to ${file}: ${why}`, { cause });
  }
}

function collectReporter(value: string, before: readonly ReporterFlag[] = []): readonly ReporterFlag[] {
  const [name = '', ...file] = value.split('=');
  return [...before, { name, file: file.length === 0 ? undefined : file.join('=') }];
}
