/** A `Content-Type` value, RFC 9110 section 8.3.1. */
export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** Parameter names in lower case, values unquoted. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?=;|$)`);
// Whitespace stands on one side of each alternative only, so that no text is matched in two ways.
const PARAMETER = new RegExp(`;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`, 'y');

/**
 * Reads a media type with its parameters.
 *
 * @returns undefined where the value is no media type, several values joined by commas among them
 */
export function parseMediaType(value: string): MediaType | undefined {
  const essence = ESSENCE.exec(value);
  if (essence?.[1] === undefined) return undefined;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = essence[0].length;
  while (PARAMETER.lastIndex < value.length) {
    const match = PARAMETER.exec(value);
    if (match === null) return undefined;
    const [, name, token, string] = match;
    if (name !== undefined)
      parameters.set(name.toLowerCase(), token ?? string?.replace(/\\(.)/g, '$1') ?? '');
  }
  return { essence: essence[1].toLowerCase(), parameters };
}

/** Whether a `Content-Type` value is `application/json`, in any case and with any parameters. */
export function isJsonMediaType(value: string): boolean {
  // The two spellings nearly everybody sends need no parser.
  if (value === 'application/json' || value === 'application/json; charset=utf-8') return true;
  return parseMediaType(value)?.essence === 'application/json';
}
