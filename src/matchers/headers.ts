/** Header fields as pairs, whatever held them; `undefined` where it is nothing of the kind. */
export function headerPairs(headers: unknown): readonly (readonly [string, string])[] | undefined {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object') return undefined;
  const entries = entriesOf(headers);
  if (!entries.every((entry) => Array.isArray(entry) && entry.length === 2)) return undefined;
  return (entries as [unknown, unknown][]).flatMap(([name, value]) =>
    // A Content-Length that is a number, and a field that is `undefined`, are not looked at.
    [value].flat().flatMap((one) => (typeof one === 'string' ? [[String(name), one] as const] : [])),
  );
}

function entriesOf(headers: object): readonly unknown[] {
  // As node:http and undici give raw headers: names and values in turn.
  if (Array.isArray(headers) && headers.every((item) => typeof item === 'string'))
    return Array.from({ length: headers.length / 2 }, (_, at) => headers.slice(2 * at, 2 * at + 2));
  // Headers, a Map, pairs in an array, and the headers of axios.
  if (Symbol.iterator in headers) return [...(headers as Iterable<unknown>)];
  if ('get' in headers && typeof headers.get === 'function') return asked(headers as Askable);
  return Object.entries(headers);
}

/** Headers that can be asked for by name only, as those of Angular. */
interface Askable {
  get(name: string): unknown;
}

/** All that is looked at here. */
const NAMES = ['content-type', 'content-length', 'content-encoding', 'vary'];

function asked(headers: Askable): readonly unknown[] {
  return NAMES.map((name) => [name, headers.get(name)]);
}
