import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { definedOnly } from '../../defined-only.js';
import { excerpt } from '../../report/exchange.js';
import { ToolkitError } from '../../toolkit-error.js';
import { readJsonText } from '../../validation/json.js';
import { isObject, JsonNumber, type JsonValue, objectOf } from '../../validation/json-value.js';
import { requireOfPact } from '../installed-pact.js';
import type { Pact } from '../pacts.js';

/** The options of Pact's verifier that are used here. */
type VerifierOptions = Readonly<Record<string, unknown>> & {
  readonly providerBaseUrl: string;
  readonly provider: string;
};

/** Pact's verifier in a separate process. */
export interface PactVerifier {
  /**
   * Verifies once, and returns Pact's result as JSON. Only one verification may run at a time.
   *
   * @throws ToolkitError `pact-broke` if the process ends without a result, or has none in time
   */
  verify(options: VerifierOptions, limitMs: number): Promise<string>;
  /** Ends it at once. */
  stop(): void;
}

const VERIFIER = fileURLToPath(new URL('./verifier-process.js', import.meta.url));
/** What Pact prints holds whole bodies of pacts. Only its end says why it broke. */
const KEPT_OUTPUT = 20_000;
const LAST_LINES = 5;

/**
 * Starts a separate process for Pact's verifier. It always prints to standard output, it would use a proxy or a broker that
 * the environment names, and a pattern in a pact may keep it busy for ever.
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
      output = (output + text).slice(-KEPT_OUTPUT);
    });
  const broke = (how: string): ToolkitError => {
    const last = output.trim().split('\n').slice(-LAST_LINES).join('\n');
    return new ToolkitError('pact-broke', `Pact's verifier ${how} and has no result: ${last}`);
  };
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw broke(`ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`);
  });
  ended.catch(() => {});
  return {
    async verify(options, limitMs) {
      const late = sleep(limitMs, undefined, { ref: false }).then(() => {
        throw broke(`was stopped after ${limitMs / 1000} s`);
      });
      late.catch(() => {});
      child.send({ core, options });
      const [message] = await Promise.race([once(child, 'message'), ended, late]);
      return message.result ?? '';
    },
    stop() {
      // Pact's own code runs in it, and might handle another signal.
      child.kill('SIGKILL');
    },
  };
}

/** Pact would use a proxy even for the loopback interface, a broker besides the files, and filters of interactions. */
function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(?:https?_proxy|all_proxy|PACT_(?!DO_NOT_TRACK|PLUGIN).*|NODE_OPTIONS)$/i.test(name),
  );
  // Pact sends usage data only if the user allows it.
  return { PACT_DO_NOT_TRACK: 'true', ...Object.fromEntries(kept) };
}

/** More than any matcher or generator of a plant needs. Pact makes and keeps in memory whatever a pact asks for. */
const MOST_CHARACTERS = 10_000;

/** How often Pact repeats at most where a pattern sets no upper limit. */
const UNLIMITED = 20;

/** Why Pact may not load a pact: one of its matchers or generators asks for too much. A sentence without its end. */
export function sizeProblem({ interactions }: Pact): string | undefined {
  const tooLarge = interactions.find(({ raw }) =>
    [objectOf(raw.request), objectOf(raw.response)].some(
      ({ matchingRules, generators }) => asksFor([matchingRules ?? {}, generators ?? {}]) > MOST_CHARACTERS,
    ),
  );
  return (
    tooLarge &&
    `a matcher or generator of ${JSON.stringify(tooLarge.description)} asks for more than ${MOST_CHARACTERS} characters`
  );
}

/** The most characters that one value asks for: a text or a pattern by its length, a generator by its size. */
function asksFor(value: JsonValue, key = ''): number {
  if (typeof value === 'string') return Math.max(value.length, key === 'regex' ? longestText(value) : 0);
  if (Array.isArray(value) || isObject(value))
    return Object.entries(value).reduce((most, [name, one]) => Math.max(most, asksFor(one, name)), 0);
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;
  return isNumber && /^(?:size|digits)$/.test(key) ? Number(String(value)) : 0;
}

/** About how many characters a text has at most that matches a pattern: alternatives count together. */
function longestText(pattern: string): number {
  // With the flag x, a number may have spaces: a{1 000}.
  const plain = pattern
    .replace(/\\./gs, '.')
    .replace(/\[[^\]]*\]/g, '.')
    .replace(/\{[^}]*\}/g, (times) => times.replace(/\s/g, ''));
  const around: number[] = [];
  let [length, last] = [0, 0];
  for (const [token, from, to] of plain.matchAll(/\{(\d+)(?:,(\d*))?\}|./gs)) {
    if (from !== undefined) last *= Number(to || from);
    else if (token === '*' || token === '+') last *= UNLIMITED;
    else if (token === ')') [length, last] = [around.pop() ?? 0, Math.max(1, length + last)];
    else if (token === '(') {
      around.push(length + last);
      [length, last] = [0, 0];
    } else [length, last] = [length + last, 1];
  }
  return length + last;
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

/** Pact's result. */
export interface NativeResult {
  /** In the order of the pact, what differs; empty if Pact could not load it. */
  readonly interactions: readonly (readonly Mismatch[])[];
  /** Errors that belong to no interaction. */
  readonly errors: readonly string[];
}

/**
 * Reads the result of Pact's verifier.
 *
 * @param text JSON, or a sentence if there was no verification
 * @param pending for each interaction of the pact, whether it is pending: Pact lists its failures apart
 */
export function readNativeResult(text: string, pending: readonly boolean[]): NativeResult {
  const read = readJsonText(text);
  if (!read.ok || !isObject(read.value) || !Array.isArray(read.value.interactionResults))
    return { interactions: [], errors: [text.trim() || 'Pact gave no result'] };
  const results = read.value.interactionResults.filter(isObject);
  const counting = failuresIn(read.value.errors);
  const others = failuresIn(read.value.pendingErrors);
  const interactions = results.map(({ description, result }, at) => {
    if (result === 'OK') return [];
    // A failure names its interaction in a sentence that ends with the description. Both lists have the same order.
    const failures = pending[at] === true ? others : counting;
    const found = failures.findIndex(({ interaction }) => interaction.endsWith(` - ${description}`));
    const [failure] = found === -1 ? [] : failures.splice(found, 1);
    return failure?.mismatches ?? mismatchesIn(undefined);
  });
  return {
    interactions: results.length === pending.length ? interactions : [],
    errors: counting.map(({ interaction, mismatches }) =>
      [interaction, ...mismatches.map(({ message }) => message)].filter((part) => part !== '').join(': '),
    ),
  };
}

function failuresIn(list: JsonValue | undefined) {
  return (Array.isArray(list) ? list : []).filter(isObject).map(({ interaction, mismatch }) => ({
    interaction: String(interaction ?? ''),
    mismatches: mismatchesIn(mismatch),
  }));
}

/** What differs, in the order of a response: at least one thing. */
function mismatchesIn(failure: JsonValue | undefined): Mismatch[] {
  const { mismatches, message } = objectOf(failure);
  if (!Array.isArray(mismatches) || mismatches.length === 0)
    return [{ part: 'request', message: textOf(message) ?? 'Pact gave no reason' }];
  const found = mismatches.filter(isObject).map((mismatch) => {
    const { type, mismatch: sentence, path, key, expected, actual } = mismatch;
    const part = PARTS.find((name) => String(type).toLowerCase().startsWith(name)) ?? 'body';
    return definedOnly({
      part,
      path: textOf(path ?? key ?? undefined),
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
