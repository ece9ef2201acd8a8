import { excerpt } from '../../report/body.js';
import { type Exchange, isUnprocessed } from '../exchange.js';
import type { Context, Judgement } from '../rule.js';
import { isHouseProbe } from './house-id.js';
import type { AnsweredExchange, HouseRule } from './house-rule.js';
import { valueInWords } from './members.js';
import { type JudgingTime, TookTooLong } from './within-time.js';

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
