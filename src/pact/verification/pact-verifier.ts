import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { definedOnly } from '../../defined-only.js';
import { limits } from '../../http/limits.js';
import { excerpt } from '../../report/exchange.js';
import { ToolkitError } from '../../toolkit-error.js';
import { readJsonText } from '../../validation/json.js';
import { isObject, type JsonObject, type JsonValue } from '../../validation/json-value.js';
import { requireOfPact } from '../installed-pact.js';

/** The options of Pact's verifier that are used here. */
export type VerifierOptions = Readonly<Record<string, unknown>> & {
  readonly providerBaseUrl: string;
  readonly provider: string;
};

/** Pact's verifier in a separate process. */
export interface PactVerifier {
  /** Verifies once, and returns Pact's result as JSON. Only one verification may run at a time. */
  verify(options: VerifierOptions): Promise<string>;
  /** Ends the process, and returns what Pact has printed, at least the last 2 MiB. */
  end(): Promise<string>;
  /** Ends it at once. */
  stop(): void;
}

const VERIFIER = fileURLToPath(new URL('./verifier-process.js', import.meta.url));
const LAST_LINES = 5;

/**
 * Starts a separate process for Pact's verifier. It always prints to standard output, and it would use a proxy or a
 * broker that the environment names.
 *
 * @throws ToolkitError `missing-package` if Pact is not installed
 */
export function startPactVerifier(): PactVerifier {
  const core = requireOfPact().resolve('@pact-foundation/pact-core');
  const child = spawn(process.execPath, [VERIFIER], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment(process.env),
    windowsHide: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // Pact prints whole bodies of pacts.
      if (output.length > 2 * limits.body) output = output.slice(-limits.body);
    });
  const closed = once(child, 'close');
  const ended = once(child, 'exit').then(([code, signal]) => {
    const last = output.trim().split('\n').slice(-LAST_LINES).join('\n');
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    throw new ToolkitError('pact-broke', `Pact's verifier ended ${how} and has no result: ${last}`);
  });
  const nextResult = async (): Promise<string> => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message.result ?? '';
  };
  const ready = nextResult();
  for (const promise of [closed, ended, ready]) promise.catch(() => {});
  return {
    async verify(verifierOptions) {
      await ready;
      const result = nextResult();
      child.send({ core, options: verifierOptions });
      return result;
    },
    async end() {
      if (child.connected) child.send('end');
      await closed;
      return output;
    },
    stop() {
      // Pact's own code runs in it, and might handle another signal.
      child.kill('SIGKILL');
    },
  };
}

/** Pact would use a proxy even for the loopback interface, and a broker besides the files. */
function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(?:https?_proxy|all_proxy|PACT_BROKER_.*|NODE_OPTIONS)$/i.test(name),
  );
  // Pact sends usage data only if the user allows it.
  return { PACT_DO_NOT_TRACK: 'true', ...Object.fromEntries(kept) };
}

/** One difference between a response and a pact, in Pact's words. */
export interface Mismatch {
  /** The part that differs; `request` if there is no response. */
  readonly part: 'status' | 'header' | 'body' | 'request';
  /** The path in the body, as in `$.name`, or the name of the header. */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** A sentence. */
  readonly message: string;
}

/** Pact's result for one interaction. */
export interface NativeInteraction {
  readonly description: string;
  readonly isOk: boolean;
  /** Whether its failure does not count. */
  readonly isPending: boolean;
  readonly mismatches: readonly Mismatch[];
}

/** Pact's result. */
export interface NativeResult {
  readonly interactions: readonly NativeInteraction[];
  /** Errors that belong to no interaction. */
  readonly errors: readonly string[];
}

/**
 * Reads the result of Pact's verifier.
 *
 * @param text JSON, or a sentence if there was no verification
 * @param pendingAt for each interaction of the pact, whether it is pending; empty if that is not known
 */
export function readNativeResult(text: string, pendingAt: readonly boolean[] = []): NativeResult {
  const read = readJsonText(text);
  if (!read.ok || !isObject(read.value) || !Array.isArray(read.value.interactionResults))
    return { interactions: [], errors: [text.trim() || 'Pact gave no result'] };
  const { interactionResults } = read.value;
  const errors = failuresIn(read.value.errors);
  const pending = failuresIn(read.value.pendingErrors);
  const interactions = interactionResults.filter(isObject).map(({ description, result: one }, index) => {
    const name = String(description);
    if (one === 'OK') return { description: name, isOk: true, isPending: false, mismatches: [] };
    // A failure names its interaction in a sentence that ends with the description. Both lists have the same order.
    const known = pendingAt.length === interactionResults.length ? pendingAt[index] : undefined;
    const failure = known === true ? undefined : take(errors, name);
    const isPending = known ?? (failure === undefined && pending.some(isAbout(name)));
    const mismatches = (failure ?? (isPending ? take(pending, name) : undefined))?.mismatches ?? [];
    return { description: name, isOk: false, isPending, mismatches };
  });
  return {
    interactions,
    errors: errors.map(({ interaction, mismatches }) =>
      [interaction, ...mismatches.map(({ message }) => message)].filter((part) => part !== '').join(': '),
    ),
  };
}

interface NativeFailure {
  readonly interaction: string;
  readonly mismatches: readonly Mismatch[];
}

function failuresIn(list: JsonValue | undefined): NativeFailure[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map(({ interaction, mismatch }) => ({
    interaction: String(interaction ?? ''),
    mismatches: isObject(mismatch) ? mismatchesIn(mismatch) : [],
  }));
}

function isAbout(description: string): (failure: NativeFailure) => boolean {
  return ({ interaction }) => interaction.endsWith(` - ${description}`);
}

function take(failures: NativeFailure[], description: string): NativeFailure | undefined {
  const at = failures.findIndex(isAbout(description));
  return at === -1 ? undefined : failures.splice(at, 1)[0];
}

function mismatchesIn({ mismatches, message }: JsonObject): Mismatch[] {
  if (!Array.isArray(mismatches))
    return [{ part: 'request', message: textOf(message) ?? 'Pact gave no reason' }];
  const found = mismatches.filter(isObject).map((mismatch) => {
    const { type, mismatch: sentence, path, key, expected, actual } = mismatch;
    const where = path ?? key;
    const part = PARTS.find((name) => String(type).toLowerCase().startsWith(name)) ?? 'body';
    return definedOnly({
      part,
      path: textOf(where ?? undefined),
      expected: textOf(expected),
      actual: textOf(actual),
      message: textOf(sentence ?? undefined) ?? `${part} differs`,
    });
  });
  return found.sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part));
}

/** In the order of a response: a person looks at the status first. */
const PARTS = ['status', 'header', 'body'] as const;

/** Pact quotes whole bodies, and what was expected may have 16 MiB. */
const LONGEST_TEXT = 10_000;

function textOf(value: JsonValue | undefined): string | undefined {
  const text = value === undefined ? undefined : String(value);
  return text === undefined || text.length <= LONGEST_TEXT ? text : excerpt(text, LONGEST_TEXT);
}
