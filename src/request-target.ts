/** A request target without the origin of an absolute URL: its path and its query (RFC 9112, section 3.2). */
export function withoutOrigin(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}
