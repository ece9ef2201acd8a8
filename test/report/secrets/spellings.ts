const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const eachCharacter =
  (write: (code: string) => string) =>
  (text: string): string =>
    hexOf(text).replace(/../g, (code) => write(code));
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Ways to escape a text. They may be applied to any other spelling. */
const ESCAPES: Readonly<Record<string, (text: string) => string>> = {
  'a backslash before /': (text) => text.replaceAll('/', '\\/'),
  'JSON escapes in upper case': (text) =>
    text.replace(/[^A-Za-z0-9]/g, (one) => `\\u00${hexOf(one).toUpperCase()}`),
  'JSON escapes everywhere': eachCharacter((code) => `\\u00${code}`),
  'percent-encoding': encodeURIComponent,
  'percent-encoding in lower case': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent-encoding everywhere': eachCharacter((code) => `%${code}`),
  'character references': (text) => text.replace(/[^A-Za-z0-9]/g, (one) => `&#x${hexOf(one).toUpperCase()};`),
  'decimal character references': (text) => text.replace(/[^A-Za-z0-9]/g, (one) => `&#${one.charCodeAt(0)};`),
  'a JSON string': (text) => JSON.stringify(text),
};

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  base64,
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 of Bearer': (text) => base64(`Bearer ${text}`),
  'base64 of a user': (text) => base64(`user:${text}`),
  'base64url of a user': (text) => Buffer.from(`user:${text}`).toString('base64url'),
  'base64 within a text': (text) => base64(`{"a":1,"token":"${text}","b":2}`),
  'hexadecimal digits': hexOf,
  'hexadecimal digits in upper case': (text) => hexOf(text).toUpperCase(),
};

const CASES: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
};

/** A way in which a provider may send a token back. */
export interface Spelling {
  readonly name: string;
  readonly text: string;
}

const WAYS = Object.entries({ ...ESCAPES, ...ENCODINGS });

const inEachWay = ({ name, text }: Spelling): Spelling[] =>
  WAYS.map(([way, write]) => ({ name: `${name}, in ${way}`, text: write(text) }));

/** Each letter case of a token, as it is and with each escape or encoding. */
export function simpleOf(token: string): Spelling[] {
  const plain = Object.entries(CASES).map(([name, write]) => ({ name, text: write(token) }));
  return withoutDuplicates([...plain, ...plain.flatMap(inEachWay)]);
}

/** The same, and with two of the escapes and encodings applied to it. */
export function spellingsOf(token: string): Spelling[] {
  const simple = simpleOf(token);
  return withoutDuplicates([...simple, ...simple.flatMap(inEachWay)]);
}

function withoutDuplicates(spellings: readonly Spelling[]): Spelling[] {
  return [...new Map(spellings.map((one) => [one.text, one])).values()];
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
