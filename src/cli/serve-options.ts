import type { Command } from 'commander';
import { definedOnly } from '../defined-only.js';
import type { FaultName } from '../server/faults/names.js';
import type { ListenOptions, PlantStoreOptions } from '../server/options.js';
import { InvalidArgumentError, Option } from './commander.js';
import { described, REPEATS } from './flag-value.js';
import { list, wholeNumber } from './flags.js';

/** The flags of `serve` that decide what the interface does not show. */
export interface BehaviourFlags
  extends Pick<
    PlantStoreOptions,
    | 'authorizationSyntax'
    | 'duplicateAuthorization'
    | 'errorCodes'
    | 'duplicateId'
    | 'duplicateName'
    | 'unknownFields'
    | 'duplicateKeys'
    | 'fractionalIds'
    | 'byteOrderMark'
  > {
  readonly delay?: number;
  readonly authenticationStatus?: number;
  readonly challenge?: string | boolean;
  readonly rejection?: PlantStoreOptions['rejections'];
  readonly mediaType?: readonly string[];
  readonly namePattern?: string;
  readonly tagPattern?: string;
  readonly longestName?: number;
  readonly longestTag?: number;
  readonly smallestId?: bigint;
  readonly bodyLimit?: number;
  readonly depthLimit?: number;
  readonly mostPlants?: number;
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly fault?: string[];
}

/** Adds these flags to a command. */
export function withBehaviour(command: Command): Command {
  const choice = (flag: string, about: string, ...choices: string[]) =>
    new Option(flag, about).choices(choices);
  return command
    .option('--delay <ms>', 'delay each response by this time', wholeNumber)
    .option(
      '--authentication-status <status>',
      'status for a missing or unknown token: 400, 401 or 403 (default: 400)',
      wholeNumber,
    )
    .option(
      '--challenge <value>',
      'the WWW-Authenticate of such a response (default: Bearer, with the reason)',
    )
    .option('--no-challenge', 'send no WWW-Authenticate')
    .addOption(
      choice(
        '--authorization-syntax <syntax>',
        'exact: only "Bearer", one space, and the token; exact-scheme: any spaces; one-space: "bearer" too (default: rfc)',
        'rfc',
        'exact-scheme',
        'one-space',
        'exact',
      ),
    )
    .addOption(
      choice(
        '--duplicate-authorization <what>',
        'how several Authorization headers are handled (default: reject)',
        'reject',
        'first',
      ),
    )
    .option(
      '--rejection <reasons=status:error>',
      'status and "error" for reasons: id-duplicate=409, name-missing,id-missing=422:7; can be repeated',
      rejection,
    )
    .option('--error-codes <which>', 'the "error" of rejections: own, status, or one number', errorCodes)
    .addOption(
      choice(
        '--duplicate-id <what>',
        'how a duplicate id is handled (default: reject)',
        'reject',
        'replace',
        'reject-different',
      ),
    )
    .addOption(
      choice(
        '--duplicate-name <what>',
        'how a duplicate name is handled (default: accept)',
        'accept',
        'reject',
      ),
    )
    .addOption(
      choice(
        '--unknown-fields <what>',
        'how unknown fields are handled (default: ignore)',
        'ignore',
        'reject',
      ),
    )
    .addOption(
      choice(
        '--duplicate-keys <what>',
        'how a key that occurs twice is handled (default: reject)',
        'reject',
        'last',
      ),
    )
    .addOption(
      choice(
        '--fractional-ids <what>',
        'how an id written 7.0 is handled (default: accept)',
        'accept',
        'reject',
      ),
    )
    .addOption(
      choice(
        '--byte-order-mark <what>',
        'how a byte-order mark is handled (default: reject)',
        'reject',
        'accept',
      ),
    )
    .option(
      '--media-type <types>',
      'also read these media types as JSON, separated by commas; none: a missing one',
      list,
    )
    .option('--name-pattern <regex>', 'what a name must match')
    .option('--tag-pattern <regex>', 'what a tag must match')
    .option('--longest-name <characters>', 'most characters of a name (default: no limit)', wholeNumber)
    .option('--longest-tag <characters>', 'most characters of a tag (default: no limit)', wholeNumber)
    .option('--smallest-id <id>', 'the smallest id (default: -9223372036854775808)', integer)
    .option('--body-limit <bytes>', 'largest accepted body (default: 1048576)', wholeNumber)
    .option(
      '--depth-limit <levels>',
      'most levels of arrays and objects in a body (default: 500)',
      wholeNumber,
    )
    .option('--most-plants <number>', 'how many plants are stored (default: 1500000)', wholeNumber)
    .option('--headers-timeout <ms>', 'time limit for the headers of a request (default: 10000)', wholeNumber)
    .option('--request-timeout <ms>', 'time limit for a whole request (default: 30000)', wholeNumber)
    .option('--fault <name...>', 'make the server nonconforming; --list-faults lists the names');
}

/** The options of the server that flags give. */
export function behaviourFrom(flags: BehaviourFlags): ListenOptions {
  return definedOnly({
    delayMs: flags.delay,
    authenticationFailureStatus: flags.authenticationStatus as 400 | 401 | 403 | undefined,
    // `--no-challenge` is false; without either flag, commander says true.
    challenge: flags.challenge === true ? undefined : flags.challenge,
    authorizationSyntax: flags.authorizationSyntax,
    duplicateAuthorization: flags.duplicateAuthorization,
    rejections: flags.rejection,
    errorCodes: flags.errorCodes,
    duplicateId: flags.duplicateId,
    duplicateName: flags.duplicateName,
    unknownFields: flags.unknownFields,
    duplicateKeys: flags.duplicateKeys,
    fractionalIds: flags.fractionalIds,
    byteOrderMark: flags.byteOrderMark,
    mediaTypes: flags.mediaType,
    namePattern: flags.namePattern,
    tagPattern: flags.tagPattern,
    limits: definedOnly({
      longestName: flags.longestName,
      longestTag: flags.longestTag,
      smallestId: flags.smallestId,
      bodyBytes: flags.bodyLimit,
      depth: flags.depthLimit,
      plants: flags.mostPlants,
      headersTimeoutMs: flags.headersTimeout,
      requestTimeoutMs: flags.requestTimeout,
    }),
    faults: flags.fault as FaultName[] | undefined,
  }) as ListenOptions;
}

/** Reads `id-duplicate,name-duplicate=409:8`. The server itself checks the reasons and the numbers. */
const rejection = described(REPEATS, (value: string, before: PlantStoreOptions['rejections'] = {}) => {
  const [, reasons, status, error] = /^([a-z-]+(?:,[a-z-]+)*)=(\d{3})?(?::(-?\d{1,10}))?$/.exec(value) ?? [];
  if (reasons === undefined || (status === undefined && error === undefined))
    throw new InvalidArgumentError(
      'It must look like id-duplicate=409, id-duplicate=409:8 or id-duplicate=:8.',
    );
  const response = definedOnly({
    status: status === undefined ? undefined : Number(status),
    error: error === undefined ? undefined : Number(error),
  });
  return { ...before, ...Object.fromEntries(reasons.split(',').map((reason) => [reason, response])) };
});

function errorCodes(value: string): 'own' | 'status' | number {
  if (value === 'own' || value === 'status') return value;
  if (/^-?\d{1,10}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be own, status or a whole number.');
}

const integer = described({ type: 'integer' }, (value: string): bigint => {
  if (!/^-?\d{1,19}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return BigInt(value);
});
