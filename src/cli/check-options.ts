import type { Command } from 'commander';
import type { CheckOptions, ExpectedFailure, Implementation } from '../conformance/options.js';
import type { Level } from '../conformance/rule.js';
import { ToolkitError } from '../toolkit-error.js';
import { InvalidArgumentError } from './commander.js';
import { contentOf, header, list, reporter, wholeNumber } from './flags.js';
import type { CommandIo } from './io.js';
import type { ReporterFlag } from './reports.js';

/** The flags of `check`, which `demo` has as well. */
export interface CheckFlags {
  readonly token?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly level?: readonly string[];
  readonly reporter?: readonly ReporterFlag[];
  readonly profile?: string;
  readonly quiet?: boolean;
  readonly expectFailures?: string;
  readonly implementation?: Implementation;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly header?: CheckOptions['headers'];
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly prism: boolean;
  readonly dryRun?: boolean;
}

/** The options that a check takes, on any command. */
export function withCheckOptions(command: Command): Command {
  return command
    .option('--token <token>', 'a token that the provider accepts (default: PLANT_STORE_TOKEN)')
    .option('--only <names>', 'judge these rules only: ids, topics or levels, with commas', list)
    .option('--skip <names>', 'judge all rules but these', list)
    .option('--level <levels>', 'judge these levels only: documented, implied, unspecified', list)
    .option(
      '--reporter <name[=file]>',
      'text, json, junit, github, markdown or html; to a file where one is named; can be repeated (default: text)',
      reporter,
    )
    .option('--profile <file>', 'write what was observed where the interface is silent, as JSON')
    .option('--quiet', 'leave out of the text what is as it should be (default where CI is set)')
    .option('--expect-failures <file>', 'JSON list of rules that are known to fail: rule, reason, until')
    .option('--implementation <name[@version]>', 'what is checked; for the report', implementation)
    .option('--timeout <ms>', 'how long a request may take (default: 5000)', wholeNumber)
    .option('--concurrency <number>', 'how many requests are under way at once (default: 16)', wholeNumber)
    .option('--header <field>', 'send "Name: value" with every request; can be repeated', header)
    .option('--ca <file>', 'trust these certificates (PEM) instead of the usual ones')
    .option('--insecure', 'take any certificate')
    .option('--no-prism', 'do not ask Prism for its opinion')
    .option('--dry-run', 'print the requests as curl lines, and send nothing');
}

/** What the flags say, as options of the check; the token is told apart. */
export async function optionsFrom(
  flags: CheckFlags,
  io: CommandIo,
): Promise<Omit<CheckOptions, 'baseUrl' | 'token'>> {
  const { only, skip, level, timeout, concurrency, header: headers, implementation: who } = flags;
  return {
    ...(only !== undefined && { only }),
    ...(skip !== undefined && { skip }),
    ...(level !== undefined && { levels: level as readonly Level[] }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(concurrency !== undefined && { concurrency }),
    ...(headers !== undefined && { headers }),
    ...(who !== undefined && { implementation: who }),
    ...(flags.ca !== undefined && { ca: await contentOf(flags.ca, 'the CA', io) }),
    ...(flags.insecure !== undefined && { insecure: flags.insecure }),
    ...(flags.expectFailures !== undefined && {
      expectedFailures: await expectedFailures(flags.expectFailures, io),
    }),
    prism: flags.prism,
  };
}

async function expectedFailures(file: string, io: CommandIo): Promise<readonly ExpectedFailure[]> {
  const text = await contentOf(file, 'the list of expected failures', io);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (cause) {
    throw new ToolkitError('invalid-option', `${file} is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (Array.isArray(list)) return list;
  throw new ToolkitError('invalid-option', `${file} must hold a list: [{ "rule": …, "reason": … }]`);
}

function implementation(value: string): Implementation {
  const at = value.lastIndexOf('@');
  const [name, version] = at < 1 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)];
  if (name === '') throw new InvalidArgumentError('It must begin with a name.');
  return version === '' ? { name } : { name, version };
}
