import { redactionWith } from '../conformance/reporting/redaction.js';
import { type Fields, secretsOf } from '../header-fields.js';
import type { Prism } from '../validation/prism.js';
import { requestViolations, responseViolations } from './judge-sides.js';
import type { JudgedParts, Judgement, TrafficViolation } from './judged.js';
import type { ForwardedExchange } from './message.js';

/** Whether the interface says anything of a request: there is one operation, `POST …/plants`, whatever its query. */
export function isJudged({ request: { method, target } }: ForwardedExchange): boolean {
  return method === 'POST' && /^[^?#]*\/plants(?:[?#]|$)/.test(target);
}

/** Judges an exchange that passed, by the interface and, where it is loaded, by Prism. Pure. */
export function judgeExchange({ request, response }: JudgedParts, prism: Prism | undefined): Judgement {
  const notes: string[] = [];
  const sides: TrafficViolation['side'][] = [];
  const ofRequest = requestViolations(request, prism, notes);
  if (ofRequest !== undefined) sides.push('request');
  const ofResponse = response && responseViolations(response, request, prism, notes);
  if (ofResponse !== undefined) sides.push('response');
  const violations = [...(ofRequest ?? []), ...(ofResponse ?? [])];
  return { violations: withoutSecrets(violations, request.headers), notes, sides };
}

/** A provider may say the token that it was sent, well-formed or not; nobody is to read it here. */
function withoutSecrets(violations: TrafficViolation[], headers: Fields): TrafficViolation[] {
  if (violations.length === 0) return violations;
  return secretsOf(headers).reduce((rest, secret) => redactionWith([], secret).all(rest), violations);
}
