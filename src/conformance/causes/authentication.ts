import type { Cause } from './cause.js';

/** Tokens that are not verified. */
export const authenticationCauses: readonly Cause[] = [
  {
    id: 'nothing-is-authenticated',
    fix: 'Require a bearer token on POST /plants, and verify it.',
    explain: ({ rule }, facts) =>
      rule.startsWith('auth/') && facts.accepted('no-authorization') && facts.accepted('wrong-token')
        ? 'The provider does not authenticate requests: it accepts a wrong token and no token.'
        : undefined,
  },
  {
    id: 'token-is-not-verified',
    fix: 'Verify the token itself, not only that there is one.',
    explain: ({ rule }, facts) =>
      (rule === 'auth/wrong-token-is-refused' || rule === 'auth/near-miss-token-is-refused') &&
      facts.accepted('wrong-token')
        ? 'The provider checks that there is a bearer token, but not which one.'
        : undefined,
  },
];
