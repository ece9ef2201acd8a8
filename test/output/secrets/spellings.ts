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

/** Each letter case of a token, with none, one or two of the escapes and encodings applied to it. */
export function spellingsOf(token: string): Spelling[] {
  const ways = { ...ESCAPES, ...ENCODINGS };
  const apply = ({ name, text }: Spelling): Spelling[] =>
    Object.entries(ways).map(([way, write]) => ({ name: `${name}, in ${way}`, text: write(text) }));
  const plain = Object.entries(CASES).map(([name, write]) => ({ name, text: write(token) }));
  const once = plain.flatMap(apply);
  const all = [...plain, ...once, ...once.flatMap(apply)];
  const known = new Set<string>();
  return all.filter(({ text }) => !known.has(text) && known.add(text));
}

const escapedAgain: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  (text) => text.replaceAll('%', '%25'),
];

/** The names of the spellings that an output shows, as they are or as the formats of reports escape them. */
export function shownIn(output: string, spellings: readonly Spelling[]): string[] {
  const forms = ({ text }: Spelling): ReadonlySet<string> =>
    new Set(escapedAgain.flatMap((first) => escapedAgain.map((second) => second(first(text)))));
  return spellings
    .filter((spelling) => [...forms(spelling)].some((form) => output.includes(form)))
    .map(({ name }) => name);
}
