import { validateRequest } from '../validation/request.js';

/** Whether a request is one to the only operation of the interface, `POST …/plants`, whatever else is wrong with it. */
export function isCreation(method: string, url: string): boolean {
  const violations = validateRequest({ method, url, headers: {} });
  return !violations.some(({ part }) => part === 'method' || part === 'path');
}

const LONGEST_SHOWN = 120;

/** A URL or a request target for people: a query and credentials may hold a token. */
export function shownUrl(url: string): string {
  const [whole = ''] = url.split('#');
  const [path = '', query] = whole.split('?');
  const plain = path.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
  const short = plain.length <= LONGEST_SHOWN ? plain : `${plain.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
  return query === undefined ? short : `${short}?…`;
}
