import { counted } from '../../output/wording.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Case, Finding, Verdict } from '../../report/frame.js';
import { type Exchange, isUnprocessed } from '../exchange.js';
import { RESPONSE_TIME } from '../house/house-id.js';
import { OVERSIZED } from '../rules/validity.js';
import type { CheckResult } from './build-report.js';

/** Slow responses that are evidence. The others are counted. */
const MOST_EVIDENCE = 20;

/** The case of the rule, and the finding of its failures. */
interface TimedCase {
  readonly case: Case;
  readonly finding: Finding | undefined;
}

/**
 * Judges the longest response time that the user asks for, if there is one.
 *
 * @param findingAt the place of the first finding, if there is one
 */
export function responseTime(
  { settings, exchanges, facts, notTestable, expectations }: CheckResult,
  findingAt: number,
): TimedCase | undefined {
  const { maxResponseTimeMs } = settings;
  if (maxResponseTimeMs === undefined || notTestable !== undefined) return undefined;
  const titleOf = ({ probe }: Exchange): string => facts.probes.get(probe)?.title ?? probe;
  const judged = judgeResponseTimes(maxResponseTimeMs, exchanges, titleOf, findingAt);
  const expected = expectations.active.get(RESPONSE_TIME);
  if (expected === undefined) return judged;
  return { ...judged, case: { ...judged.case, excuse: { kind: 'expected', ...expected } } };
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
): TimedCase {
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
            fix: 'Find out what these requests wait for, or allow more time: --max-response-time. With --rate 10, few requests wait for another.',
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
