import { isAccepted, isRejected, isUnprocessed, responseInWords } from '../../exchange.js';
import { accepts, judgeAcceptance, REQUEST_JSON, RESOURCES, RESPONSE_200 } from '../../rules/define.js';

/** What the interface demands of messages that differ only in how they are transferred. */
export const transportRules = [
  accepts({
    id: 'request/transfer-makes-no-difference',
    severity: 'error',
    title: 'A valid request is accepted however its bytes are divided.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'A message is a sequence of bytes. The segments in which a network delivers them have no meaning, and neither have the boundaries of chunks (RFC 9112, section 7.1). So the request is the same valid request, and a provider that accepts a body in one chunk accepts it in several.',
    usualCause: 'Only the first part of the body is read, or each part is decoded on its own.',
    fix: 'Read the body to its end, and decode it after that.',
    dependsOn: ['chunked-body'],
    judge(exchange, { facts }) {
      if (exchange.request.chunked !== true) return judgeAcceptance(exchange);
      if (isUnprocessed(exchange) || isAccepted(exchange))
        return isAccepted(exchange) ? undefined : 'nothing-to-judge';
      if (!facts.accepted('chunked-body'))
        return { notApplicable: 'the interface allows the provider to reject chunks, and it does' };
      return { expected: '200, as for one chunk', actual: responseInWords(exchange) };
    },
  }),
  accepts({
    id: 'request/shorter-bodies-are-accepted',
    severity: 'error',
    title: 'If the provider accepts a long body, it also accepts a shorter one.',
    level: 'implied',
    source: { section: RESOURCES, pointer: REQUEST_JSON },
    why: 'Size limits are not shown, so a provider may reject long bodies. These bodies differ only in white space, which has no meaning in JSON (RFC 8259, section 2). If the provider accepts the longer one, its limit is no reason to reject the shorter one.',
    usualCause: 'A buffer is handled incorrectly when the body fills it exactly.',
    fix: 'Read the body to its end, whatever its length.',
    nothingToJudge: 'no long body was accepted',
    judge(exchange, { sequence }) {
      if (isUnprocessed(exchange)) return 'nothing-to-judge';
      if (isAccepted(exchange)) return undefined;
      const longer = sequence.find(
        (other) => isAccepted(other) && other.request.body.length > exchange.request.body.length,
      );
      if (longer === undefined || !isRejected(exchange))
        return {
          notApplicable: 'the interface allows the provider to reject bodies of this length, and it does',
        };
      return {
        expected: `200, as for a body of ${longer.request.body.length} bytes`,
        actual: `${responseInWords(exchange)} for a body of ${exchange.request.body.length} bytes`,
      };
    },
  }),
];
