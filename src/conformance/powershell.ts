import { COMMAND_IN_LINE } from '../output/escape.js';
import { placesOf, type Secret } from '../output/redaction.js';
import { ORDINARY_ID, transfersOf } from './curl.js';
import { type CurlTarget, type CurlWord, curlWords, requestSecrets } from './curl-words.js';
import type { ProbeRequest } from './exchange.js';
import type { Probe } from './probe.js';

/** PowerShell 7.3 and later would escape quotes in arguments itself. So the rules of earlier versions hold everywhere. */
const FIRST_LINE = "$PSNativeCommandArgumentPassing = 'Legacy'";
/** 32 random bits. */
const RANDOM = '(Get-Random -Maximum 4294967296)';

/** Text as it is, or an expression of PowerShell that also works within double quotes. */
type Part = { readonly text: string } | { readonly expression: string };

/**
 * Lines for PowerShell 5.1 and later that send the requests of a probe, with new ids in the same ranges. They read the
 * token from the environment. Bodies go through files: the command line of Windows has characters, not bytes.
 */
export function powerShellLines(
  requests: readonly ProbeRequest[],
  target: CurlTarget,
  { oneConnection = false, together = false }: Pick<Probe, 'oneConnection' | 'together'> = {},
): readonly string[] {
  const script = new Script(requestSecrets(requests, target.tokens));
  const commands = requests.map((request) => script.command(request, target));
  const first = [FIRST_LINE, ...script.made];
  if (!oneConnection && !together)
    return [...first, ...commands.flatMap(([lines, words]) => [...lines, `curl.exe ${words}`])];
  const how = together ? '--parallel --parallel-immediate ' : '';
  return [
    ...first,
    ...commands.flatMap(([lines]) => lines),
    `curl.exe ${how}${commands.map(([, words]) => words).join(' --next ')}`,
  ];
}

/** The lines for the requests of one probe, which share variables. */
class Script {
  /** Lines for what is made of the token. */
  readonly made: string[] = [];
  private readonly secrets: readonly { readonly value: Secret; readonly parts: readonly Part[] }[];
  private readonly ids = new Map<number | bigint, string>();
  private lastId = '$id';
  private files = 0;

  constructor(secrets: readonly Required<Secret>[]) {
    this.secrets = secrets.map((value) => ({ value, parts: this.partsOf(value.shown) }));
  }

  /** The lines before a curl command, and its words. */
  command(request: ProbeRequest, target: CurlTarget): readonly [lines: readonly string[], words: string] {
    const lines = [...transfersOf([request]), ...this.idLines(request)];
    const inFile = (parts: readonly Part[]): string => {
      const file = `$file${++this.files}`;
      lines.push(
        `${file} = [IO.Path]::GetTempFileName()`,
        `[IO.File]::WriteAllBytes(${file}, ${bytes(parts)})`,
      );
      return `"@${file}"`;
    };
    const written = (word: CurlWord): string => {
      if (typeof word === 'string') return word;
      if ('variable' in word)
        return argument([{ text: word.before }, { expression: `\${env:${word.variable}}` }]);
      const parts = this.withSecrets(word.text);
      return isPrintable(parts) ? argument(parts) : inFile(parts);
    };
    const words = curlWords(request, target).map(written);
    if (request.elsewhere === undefined && request.body.length > 0)
      words.push('--data-binary', inFile(this.bodyParts(request)));
    return [lines, words.join(' ')];
  }

  /** A line that makes a new id, unless an earlier request has this one. */
  private idLines({ id, shell }: ProbeRequest): readonly string[] {
    if (id === undefined || this.ids.has(id)) return [];
    const name = this.ids.size === 0 ? '$id' : `$id${this.ids.size + 1}`;
    const value = (shell?.newId ?? ORDINARY_ID)
      .replace(/\bid\b/g, () => this.lastId)
      // A quotient of integers may be a fraction.
      .replace(/RANDOM \/ \d+/g, '[Math]::Floor($&)')
      .replaceAll('RANDOM', RANDOM);
    this.ids.set(id, name);
    this.lastId = name;
    return [`${name} = ${wholeNumber(value)}`];
  }

  private bodyParts({ body, id, shell }: ProbeRequest): readonly Part[] {
    const text = Buffer.from(body).toString('latin1');
    const pieces = id === undefined ? [text] : text.split(String(id));
    const name = (id !== undefined && this.ids.get(id)) || '$id';
    const parts = pieces.flatMap((piece, at) => [
      ...(at === 0 ? [] : [{ expression: `\${${name.slice(1)}}` }]),
      ...this.withSecrets(piece),
    ]);
    // What is too long for a command line is made of letters only.
    return shell?.body === undefined ? parts : parts.map(withoutLetters);
  }

  private withSecrets(text: string): readonly Part[] {
    for (const { value, parts } of this.secrets) {
      const [place] = placesOf(value, text);
      if (place === undefined) continue;
      const after = text.slice(place + value.value.length);
      return [{ text: text.slice(0, place) }, ...parts, ...this.withSecrets(after)];
    }
    return [{ text }];
  }

  /** What a POSIX shell shows as a secret, for PowerShell. */
  private partsOf(shown: string): readonly Part[] {
    if (shown.includes('$(')) {
      const name = `made${this.made.length / 2 + 1}`;
      // Only a POSIX shell has the programs that make it.
      this.made.push(
        `# $${name} is made of the token, as this makes it in a POSIX shell: ${shown}`,
        `$${name} = Read-Host '${name}'`,
      );
      return [{ expression: `\${${name}}` }];
    }
    return shown
      .split(/(\$PLANT_STORE_TOKEN|\$\{PLANT_STORE_TOKEN\})/)
      .map((piece, at) =>
        at % 2 === 1 ? { expression: `$\{env:PLANT_STORE_TOKEN}` } : { text: piece.replace(/\\(.)/g, '$1') },
      );
  }
}

function isPrintable(parts: readonly Part[]): boolean {
  return parts.every((part) => 'expression' in part || /^[\x20-\x7e]*$/.test(part.text));
}

/** An argument of a program. PowerShell unquotes it, and the program unquotes what PowerShell passes on. */
function argument(parts: readonly Part[]): string {
  const forProgram = (text: string): string => text.replace(/(\\*)"/g, '$1$1\\"');
  const [only] = parts.filter((part) => 'expression' in part || part.text !== '');
  if (parts.length === 1 && only !== undefined && 'text' in only && only.text.search(COMMAND_IN_LINE) === -1)
    return `'${forProgram(only.text).replaceAll("'", "''")}'`;
  const quoted = parts.map((part) =>
    'expression' in part
      ? part.expression
      : forProgram(part.text).replace(/[`"$]/g, '`$&').replace(COMMAND_IN_LINE, '#$()'),
  );
  return `"${quoted.join('')}"`;
}

/** An expression for bytes. A text of it has a character of Latin-1 for each byte. */
function bytes(parts: readonly Part[]): string {
  const some = parts.filter((part) => 'expression' in part || part.text !== '');
  if (isPrintable(some)) {
    const terms = some.map((part) => ('expression' in part ? part.expression : literal(part.text)));
    // The first term decides that + joins texts.
    return `[Text.Encoding]::ASCII.GetBytes(${some[0] !== undefined && 'text' in some[0] ? '' : "'' + "}${terms.join(' + ')})`;
  }
  const terms = some.map((part) =>
    'expression' in part
      ? `[Text.Encoding]::ASCII.GetBytes("${part.expression}")`
      : `[Convert]::FromBase64String('${Buffer.from(part.text, 'latin1').toString('base64')}')`,
  );
  return terms.length === 1 ? terms.join('') : `[byte[]](${terms.join(' + ')})`;
}

function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replace(COMMAND_IN_LINE, "#' + '")}'`;
  return quoted.replace(LONG_RUN, (run) => `' + ('${run.charAt(0)}' * ${run.length}) + '`);
}

/** A sum as an exact whole number. A literal beyond 64 bits, which is its last term, would make it a double. */
function wholeNumber(sum: string): string {
  const [, before, large] = /^(.*) \+ (\d{20,})$/.exec(sum) ?? [];
  return large === undefined ? `[long](${sum})` : `[bigint](${before}) + [bigint]'${large}'`;
}

/** The same letter many times. */
const LONG_RUN = /([A-Za-z])\1{199,}/g;

function withoutLetters(part: Part): Part {
  return 'expression' in part
    ? part
    : { text: part.text.replace(/[A-Za-z]{500,}/g, ({ length }) => 'a'.repeat(length)) };
}
