const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The spellings that SECURITY.md promises to hide. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'a URL': encodeURIComponent,
  'a URL, in lower case': (text) => encodeURIComponent(text).toLowerCase(),
  'a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'a JSON string': (text) => JSON.stringify(text),
  'a JSON string with a backslash before /': (text) => text.replaceAll('/', '\\/'),
  'a JSON pointer': (text) => text.replaceAll('~', '~0').replaceAll('/', '~1'),
  HTML: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  base64,
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 of Bearer': (text) => base64(`Bearer ${text}`),
  'base64 of a user': (text) => base64(`user:${text}`),
  'base64url of a user': (text) => Buffer.from(`user:${text}`).toString('base64url'),
  'base64 within a text': (text) => base64(`{"a":1,"token":"${text}","b":2}`),
  'hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'hexadecimal digits in upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

/** A way in which a provider may send a token back. */
export interface Spelling {
  readonly name: string;
  readonly text: string;
}

/** Each spelling of a token that is hidden. */
export function spellingsOf(token: string): Spelling[] {
  const all = Object.entries(WAYS).map(([name, write]) => ({ name, text: write(token) }));
  return [...new Map(all.map((one) => [one.text, one])).values()];
}

const escapedAgain: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  (text) => text.replaceAll('%', '%25'),
];

/** No spelling is shorter. */
const LEAST = 8;

/**
 * Looks for spellings in an output, as they are or as the formats of reports escape them. There are thousands of forms, so
 * it looks up the beginning of each, and looks at each word of the output once.
 *
 * @returns the names of the spellings that an output shows
 */
export function finderOf(spellings: readonly Spelling[]): (output: string) => string[] {
  const byBeginning = new Map<string, Map<string, string>>();
  for (const { name, text } of spellings)
    for (const first of escapedAgain)
      for (const second of escapedAgain) {
        const form = second(first(text));
        const beginning = form.slice(0, LEAST);
        byBeginning.set(beginning, (byBeginning.get(beginning) ?? new Map()).set(form, name));
      }
  return (output) => {
    const found = new Set<string>();
    const words = [...new Set(output.split(/\s+/))].join(' ');
    for (let at = 0; at + LEAST <= words.length; at++)
      for (const [form, name] of byBeginning.get(words.slice(at, at + LEAST)) ?? [])
        if (words.startsWith(form, at)) found.add(name);
    return [...found];
  };
}
