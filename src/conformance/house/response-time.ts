import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { type Exchange, isUnprocessed } from '../exchange.js';
import type { HouseDemand } from '../rule.js';
import { OVERSIZED } from '../rules/validity.js';
import { RESPONSE_TIME } from './house-id.js';

/**
 * The house rule that `maxResponseTimeMs` adds. It judges a request that gets no response in time too, which rules of a module
 * do not.
 *
 * @param limitMs the longest time that a response may take
 */
export function responseTimeRule(limitMs: number): HouseDemand {
  return {
    id: RESPONSE_TIME,
    title: `No response takes longer than ${limitMs} ms.`,
    level: HOUSE_LEVEL,
    why: 'You demand it: the interface says nothing about times.',
    fix: 'Find out what these requests wait for, or allow more time: --max-response-time. With --rate 10, few requests wait for another.',
    judges: () => true,
    control: 'none',
    nothingToJudge: 'no response has a time',
    onNoResponse: 'judge',
    everyAttempt: true,
    judge(exchange) {
      if (!isTimed(exchange)) return 'nothing-to-judge';
      const { durationMs, response } = exchange;
      if (durationMs <= limitMs) return undefined;
      const time = `${Math.ceil(durationMs)} ms`;
      return {
        expected: `a response within ${limitMs} ms`,
        actual: response === undefined ? `none after ${time}` : time,
      };
    },
  };
}

/** What takes long to send says nothing about the provider: a long body, or a message that goes out in pieces. */
function isTimed(exchange: Exchange): boolean {
  const { request, response, failure } = exchange;
  if (request.transfer !== undefined || request.body.length > OVERSIZED) return false;
  return response === undefined ? failure?.kind === 'timeout' : !isUnprocessed(exchange);
}
