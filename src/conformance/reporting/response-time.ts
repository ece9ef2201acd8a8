import { counted } from '../../output/wording.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Case, Finding, Verdict } from '../../report/frame.js';
import { type Exchange, isUnprocessed } from '../exchange.js';
import { OVERSIZED } from '../rules/validity.js';
import type { CheckResult } from './build-report.js';

/** The id of the rule that `maxResponseTimeMs` adds. The interface says nothing about times. */
export const RESPONSE_TIME = 'house/max-response-time';

/** Slow responses that are evidence. The others are counted. */
const MOST_EVIDENCE = 20;

/** A case that the interface does not know, and the finding of its failures. */
interface HouseCase {
  readonly case: Case;
  readonly finding: Finding | undefined;
}

/**
 * Judges what the user asks for beyond the interface. It is no rule of the interface, so it is no part of `rules`.
 *
 * @param findingAt the place of the first finding, if there is one
 */
export function houseCases(
  { settings, exchanges, record, notTestable }: CheckResult,
  findingAt: number,
): readonly HouseCase[] {
  const { maxResponseTimeMs } = settings;
  if (maxResponseTimeMs === undefined || notTestable !== undefined) return [];
  const titleOf = ({ probe }: Exchange): string => record.probes.get(probe)?.title ?? probe;
  return [judgeResponseTimes(maxResponseTimeMs, exchanges, titleOf, findingAt)];
}

/**
 * Judges the time of every response. What takes long to send says nothing about the provider: a long body, or a message
 * that goes out in pieces.
 *
 * @param limitMs the longest time that a response may take
 * @param titleOf a noun for what was sent
 * @param findingAt the place of the finding, if there is one
 */
function judgeResponseTimes(
  limitMs: number,
  exchanges: readonly Exchange[],
  titleOf: (exchange: Exchange) => string,
  findingAt: number,
): HouseCase {
  const timed = exchanges.filter(isTimed).sort((a, b) => b.durationMs - a.durationMs);
  const slow = timed.filter(({ durationMs }) => durationMs > limitMs);
  const title = `No response takes longer than ${limitMs} ms.`;
  const cause = `${slow.length} of ${counted(timed.length, 'response')} took longer than ${limitMs} ms.`;
  const [slowest] = timed;
  const verdict: Verdict = slowest === undefined ? 'blocked' : slow.length > 0 ? 'fail' : 'pass';
  const detail =
    slowest === undefined ? 'no response has a time' : `the slowest of ${timed.length} took ${inMs(slowest)}`;
  return {
    case: {
      id: RESPONSE_TIME,
      title,
      verdict,
      level: HOUSE_LEVEL,
      detail,
      evidence: slow.slice(0, MOST_EVIDENCE).map((exchange) => ({
        sent: titleOf(exchange),
        expected: `a response within ${limitMs} ms`,
        actual: exchange.response === undefined ? `none after ${inMs(exchange)}` : inMs(exchange),
        finding: findingAt,
        exchanges: [exchange.index],
      })),
    },
    finding:
      slow.length === 0
        ? undefined
        : {
            id: RESPONSE_TIME,
            title: cause,
            isLikelyCause: false,
            fix: 'Find out what these requests wait for, or allow more time: --max-response-time. With --concurrency 1, no request waits for another.',
            cases: [RESPONSE_TIME],
          },
  };
}

function isTimed(exchange: Exchange): boolean {
  const { request, response, failure } = exchange;
  if (request.transfer !== undefined || request.body.length > OVERSIZED) return false;
  return response === undefined ? failure?.kind === 'timeout' : !isUnprocessed(exchange);
}

function inMs({ durationMs }: Exchange): string {
  return `${Math.ceil(durationMs)} ms`;
}
