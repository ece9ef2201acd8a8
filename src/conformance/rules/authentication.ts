import { defineRule, type Rule } from '../rule.js';
import { judgeRefusal, NOT_SENT } from './refusal.js';

export const authenticationRules: readonly Rule[] = [
  defineRule({
    id: 'auth/missing-token-is-refused',
    title: 'A request without an Authorization header is refused.',
    level: 'documented',
    source: { section: 'Authentication', rule: 2, pointer: '/security/0' },
    why: 'Every request carries the header Authorization. Which status refuses one that does not is not shown.',
    judges: ['no-authorization'],
    control: 'for-a-pass',
    nothingToJudge: NOT_SENT,
    judge: judgeRefusal,
  }),
  defineRule({
    id: 'auth/wrong-token-is-refused',
    title: 'A token that was never given out is refused.',
    level: 'implied',
    source: { section: 'Authentication', rule: 1, pointer: '/components/securitySchemes/bearerAuth' },
    why: 'The scheme is HTTP bearer authentication: the token is what authenticates. Where any text will do, nothing is authenticated, and the header that every request must carry would mean nothing.',
    judges: ['wrong-token'],
    control: 'for-a-pass',
    nothingToJudge: NOT_SENT,
    judge: judgeRefusal,
  }),
];
