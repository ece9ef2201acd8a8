import { basename } from 'node:path';
import { createContext, Script, type Context as VmContext } from 'node:vm';
import { visibleInLine } from '../../report/escape.js';
import { excerpt } from '../../report/exchange.js';
import { type Exchange, isUnprocessed, type Judgement } from '../exchange.js';
import { isHouseProbe } from '../probe.js';
import type { Context } from '../rule.js';
import type { AnsweredExchange, HouseRule } from './house-rule.js';

/**
 * The function by which a check judges with a house rule. Whatever the rule does, it never throws, always ends, and changes
 * no exchange. An error is kept: the rule is not asked again.
 */
export function judgeSafely(
  { judge }: Pick<HouseRule, 'judge'>,
  time: JudgingTime,
): (exchange: Exchange, context: Context) => Judgement {
  const within = time.share();
  let failed: Judgement;
  return (exchange, context) => {
    if (failed !== undefined) return failed;
    if (!isAnswered(exchange) || !isOfOperation(exchange)) return 'nothing-to-judge';
    const { title } = context.probe;
    if (isUnprocessed(exchange))
      return { blocked: `${title} was not processed: the response is ${exchange.response.status}` };
    freeze(exchange);
    try {
      const judgement: unknown = within(() => judge(exchange, context));
      if (isJudgement(judgement)) return shortened(judgement);
      failed = {
        error: `its judge returned ${valueInWords(judgement)} for ${title}; it must return undefined, "nothing-to-judge", or an object such as { expected, actual }`,
      };
    } catch (cause) {
      failed = {
        error:
          cause instanceof TookTooLong
            ? `its judge took too long, and was ended at ${title}`
            : `its judge threw at ${title}: ${valueInWords(cause)}`,
      };
    }
    return failed;
  };
}

function isAnswered(exchange: Exchange): exchange is AnsweredExchange {
  return exchange.response !== undefined;
}

/** What is sent elsewhere, or is no HTTP, is judged only for the rules that send it. */
function isOfOperation({ probe, request }: Exchange): boolean {
  return isHouseProbe(probe) || (request.otherOperation === undefined && request.isUnusual !== true);
}

/** The members of a judgement: each has one kind of them, and all are texts. */
const KINDS = [['expected', 'actual'], ['notApplicable'], ['ambiguous'], ['blocked']] as const;

function isJudgement(value: unknown): value is Judgement {
  if (value === undefined || value === 'nothing-to-judge') return true;
  const texts = Object(value) as Readonly<Record<string, unknown>>;
  return KINDS.some((members) => members.every((member) => typeof texts[member] === 'string'));
}

/** What a judge says may quote a whole body. */
function shortened(judgement: Judgement): Judgement {
  if (typeof judgement !== 'object') return judgement;
  const texts = Object.entries(judgement).map(([name, text]) => [name, excerpt(String(text), MOST_SHOWN)]);
  return Object.fromEntries(texts);
}

const MOST_SHOWN = 500;

/** The rules of the interface judge the same exchange. Bytes cannot be frozen. */
function freeze({ request, response }: AnsweredExchange): void {
  if (Object.isFrozen(response)) return;
  for (const { headers } of [request, response]) {
    for (const field of headers) Object.freeze(field);
    Object.freeze(headers);
  }
  Object.freeze(request);
  Object.freeze(response);
}

const LONGEST_VALUE = 300;

/** What a function of the user threw or returned: `TypeError: x is not a function (house-rules.js:12:5)`. */
export function valueInWords(value: unknown): string {
  const text = value instanceof Error ? errorInWords(value) : kindOf(value);
  return visibleInLine(text).slice(0, LONGEST_VALUE);
}

function errorInWords({ name, message, stack = '' }: Error): string {
  const [, file, place] = /^\s+at .*?([^\s()]+?)(:\d+:\d+)\)?$/m.exec(stack) ?? [];
  const where = file === undefined ? '' : ` (${basename(file.split('?')[0] ?? '')}${place})`;
  return `${message === '' ? name : `${name}: ${message}`}${where}`;
}

function kindOf(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (value === null || typeof value !== 'object') return `${JSON.stringify(value) ?? typeof value}`;
  return Array.isArray(value) ? 'a list' : `an object with ${Object.keys(value).join(', ') || 'nothing'}`;
}

/** How long one house rule may judge in a check, and all of them together, in milliseconds. */
const OF_RULE_MS = 2_000;
const OF_ALL_MS = 3_000;

/** A function of the user took too long, and was ended. */
export class TookTooLong extends Error {}

/** Where a function is called from. Most checks have no house rules. */
let place: { readonly context: VmContext; readonly script: Script } | undefined;

/**
 * Calls a function, and ends it if it takes too long, even in an endless loop.
 *
 * @throws TookTooLong; and what the function throws
 */
export function withinTime<T>(ms: number, work: () => T): T {
  if (ms <= 0) throw new TookTooLong();
  place ??= { context: createContext({}), script: new Script('work()') };
  place.context.work = work;
  try {
    // Node ends a script after this time, with all that it has called.
    return place.script.runInContext(place.context, { timeout: Math.ceil(ms) });
  } catch (cause) {
    const { code } = Object(cause) as { readonly code?: unknown };
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TookTooLong() : cause;
  } finally {
    delete place.context.work;
  }
}

/** The time that the house rules of one check have for judging. */
export class JudgingTime {
  private leftMs = OF_ALL_MS;

  /** The part of one rule: calls a function in the time that is left. */
  share(): <T>(work: () => T) => T {
    let ownMs = OF_RULE_MS;
    return (work) => {
      const start = performance.now();
      try {
        return withinTime(Math.min(ownMs, this.leftMs), work);
      } finally {
        const spentMs = performance.now() - start;
        ownMs -= spentMs;
        this.leftMs -= spentMs;
      }
    };
  }
}
