/**
 * Rules that faults name already and that are not written yet. Each that is written leaves this list; when the
 * catalogue is whole, the list is empty and this file goes.
 */
export const plannedRules: readonly string[] = [
  'success/plain-names-are-accepted',
  'success/texts-come-back',
  'auth/near-miss-token-is-refused',
  'auth/empty-authorization-is-refused',
  'auth/empty-token-is-refused',
  'auth/other-scheme-is-refused',
  'auth/bare-token-is-refused',
  'auth/token-in-query-is-refused',
  'auth/token-in-body-is-refused',
  'auth/connection-is-not-authenticated',
  'request/media-type-parameters-are-accepted',
  'request/media-type-case-is-ignored',
  'request/nothing-follows-the-json',
  'request/ids-are-exact',
  'request/int64-ids-are-accepted',
  'request/id-is-within-int64',
  'state/refused-plant-is-not-stored',
  'state/equal-ids-side-by-side',
  'state/answers-do-not-mix',
  'state/bad-request-spoils-nothing',
];
