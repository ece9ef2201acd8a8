/** The URL of a request target: a path is appended to the base URL of the server; a proxy may have got a whole URL. */
export function urlOf(baseUrl: string, target: string): string {
  if (target.startsWith('/')) return baseUrl + target;
  return /^https?:\/\//i.test(target) ? target : `${baseUrl}/`;
}
