import type { Command } from 'commander';
import type { CheckOptions } from '../conformance/options.js';
import type { Level } from '../conformance/rule.js';
import { expectedFailures } from './expected-failures.js';
import {
  CERT,
  caFrom,
  clientCertificateFrom,
  duration,
  files,
  header,
  KEY,
  list,
  wholeNumber,
} from './flags.js';
import { houseRulesFrom } from './house-rules.js';
import type { CommandIo } from './io.js';
import { type ProxyFlag, withProxyFlag } from './proxy-flag.js';
import { type ReportFlags, withReportFlags } from './reports.js';
import { type TokenFlags, withTokenFlags } from './token.js';

/** The flags of `check`, which `demo` has as well. */
export interface CheckFlags extends ReportFlags, TokenFlags, ProxyFlag {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly level?: readonly string[];
  readonly rules?: readonly string[];
  readonly profile?: string;
  readonly discover?: boolean;
  readonly expectFailures?: string;
  readonly updateExpectedFailures?: boolean;
  readonly timeout?: number;
  readonly timeLimit?: number;
  readonly rate?: number;
  readonly maxResponseTime?: number;
  readonly quick?: boolean;
  readonly header?: CheckOptions['headers'];
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly cert?: string;
  readonly key?: string;
  readonly dryRun?: boolean;
}

/** The flags of a check that say which rules are judged. */
export function withSelection(command: Command): Command {
  return command
    .option('--only <names>', 'check only these rules: ids, topics or levels, separated by commas', list)
    .option('--skip <names>', 'check all rules except these', list)
    .option('--level <levels>', 'check only rules of these levels: documented, implied, unspecified', list);
}

/** The flags of a check that say how requests are sent. */
export function withSending(command: Command): Command {
  return withProxyFlag(command)
    .option('--timeout <ms>', 'time limit for a request (default: 5000)', wholeNumber)
    .option('--time-limit <duration>', 'time limit for a check, such as 30s or 2m (default: 45s)', duration)
    .option('--rate <number>', 'highest number of requests per second', wholeNumber)
    .option('--quick', 'send at most 150 requests: the most telling ones')
    .option('--header <field>', 'send "Name: value" with every request; can be repeated', header)
    .option('--ca <file>', 'trust these certificates (PEM) instead of the default ones')
    .option('--insecure', 'accept any certificate')
    .option('--cert <file>', CERT)
    .option('--key <file>', KEY);
}

/** Adds the flags of a check to a command. */
export function withCheckOptions(command: Command): Command {
  const selecting = withSelection(withTokenFlags(command))
    .option('--rules <module>', 'a module with rules of your own (JavaScript); can be repeated', files)
    .option(
      '--profile <file>',
      'write what the check learned to this file, as JSON, for `serve --profile` and `compare`',
    )
    .option(
      '--discover',
      'look for limits: of the name, the tag, the body and its depth; sends about 40 to 125 more requests',
    )
    .option(
      '--expect-failures <file>',
      'a JSON file that lists the rules that may fail: [{ "rule", "reason", "until" }]',
    )
    .option(
      '--update-expected-failures',
      'write that list: add what fails, remove what passes, keep reasons and dates',
    );
  const withFlags = withSending(selecting)
    .option('--max-response-time <ms>', 'fail if a response is slower', wholeNumber)
    .option('--dry-run', 'print the requests as curl commands; send nothing, and run nothing');
  return withReportFlags(withFlags);
}

/** The options of a check that flags give. The token is not among them. */
export async function optionsFrom(
  flags: CheckFlags,
  io: CommandIo,
): Promise<Omit<CheckOptions, 'baseUrl' | 'token'>> {
  const { only, skip, level, timeout, timeLimit, rate, maxResponseTime, quick, header: headers } = flags;
  const ca = await caFrom(flags, io);
  return {
    ...(only !== undefined && { only }),
    ...(skip !== undefined && { skip }),
    ...(level !== undefined && { levels: level as readonly Level[] }),
    // A dry run runs nothing.
    ...(flags.rules !== undefined &&
      flags.dryRun !== true && { houseRules: await houseRulesFrom(flags.rules, io) }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(timeLimit !== undefined && { timeLimitMs: timeLimit }),
    ...(rate !== undefined && { rate }),
    ...(maxResponseTime !== undefined && { maxResponseTimeMs: maxResponseTime }),
    ...(quick !== undefined && { quick }),
    ...(headers !== undefined && { headers }),
    discover: flags.discover === true,
    ...(ca !== undefined && { ca }),
    ...(await clientCertificateFrom(flags, io)),
    ...(flags.insecure !== undefined && { insecure: flags.insecure }),
    ...(flags.expectFailures !== undefined && {
      expectedFailures: await expectedFailures(flags.expectFailures, flags, io),
    }),
  };
}
