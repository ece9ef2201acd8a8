/** Collections that `JSON.stringify` takes for empty objects: nobody has sent them as JSON, nor parsed them from it. */
const NO_JSON = new Map([
  ['[object Map]', 'a Map'],
  ['[object Set]', 'a Set'],
  ['[object FormData]', 'a FormData'],
  ['[object URLSearchParams]', 'a URLSearchParams'],
]);

/** Why a value cannot be judged; `undefined` where it can. */
export function whyNoJson(value: unknown): string | undefined {
  const name = NO_JSON.get(Object.prototype.toString.call(value));
  return name === undefined ? undefined : `${name}, which is no JSON; give what it stands for`;
}

/**
 * A value as `JSON.stringify` would send it, in which `toJSON` has been called: of a record of a database that is what a
 * client gets to see. Members of members are not looked at, since no rule is about them.
 */
export function asSent(value: unknown): unknown {
  const sent = called(value, '');
  // A string is JSON text to all who judge.
  if (sent !== value && typeof sent === 'string') return JSON.stringify(sent);
  if (typeof sent !== 'object' || sent === null || !Object.values(sent).some(hasToJson)) return sent;
  const entries = Object.entries(sent).map(([key, member]) => [key, called(member, key)] as const);
  return Array.isArray(sent) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

function called(value: unknown, key: string): unknown {
  return hasToJson(value) ? value.toJSON(key) : value;
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}
