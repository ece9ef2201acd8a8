/**
 * The parts of PowerShell that the lines of a check use, from its documentation: about_Quoting_Rules, about_Parsing,
 * about_Variables, about_Arithmetic_Operators, and about_Preference_Variables ("Legacy"). No PowerShell runs here.
 */
export class PowerShell {
  /** What the lines would start, with its arguments. */
  readonly started: string[][] = [];
  readonly files = new Map<string, Buffer>();
  private readonly variables = new Map<string, string>();
  private isLegacy = false;

  constructor(
    private readonly env: Readonly<Record<string, string>>,
    /** What Get-Random gives. */
    private readonly random: bigint,
  ) {}

  run(lines: readonly string[]): void {
    for (const line of lines) {
      const assigned = /^\$(\w+) = (.*)$/.exec(line);
      const written = /^\[IO\.File\]::WriteAllBytes\(\$(\w+), (.*)\)$/.exec(line);
      if (line.startsWith('#')) continue;
      if (line === "$PSNativeCommandArgumentPassing = 'Legacy'") this.isLegacy = true;
      else if (assigned !== null)
        this.variables.set(assigned[1] as string, this.value(assigned[2] as string));
      else if (written !== null)
        this.files.set(this.variable(written[1] as string), this.bytes(written[2] as string));
      else this.start(line);
    }
  }

  private variable(name: string): string {
    const value = name.startsWith('env:') ? this.env[name.slice(4)] : this.variables.get(name);
    if (value === undefined) throw new Error(`$${name} has no value`);
    return value;
  }

  /** The right side of an assignment. */
  private value(text: string): string {
    if (text === '[IO.Path]::GetTempFileName()') return `file${this.files.size + this.variables.size}`;
    // A literal of more than 64 bits is exact only as the text of a bigint.
    const [, left, large] = /^\[bigint\]\((.*)\) \+ \[bigint\]'(\d+)'$/.exec(text) ?? [];
    if (left !== undefined) return String(BigInt(this.value(`[long](${left})`)) + BigInt(large ?? 0));
    const [, number] = /^\[long\]\((.*)\)$/.exec(text) ?? [];
    if (number === undefined) throw new Error(`unknown value: ${text}`);
    const filled = number
      .replaceAll('(Get-Random -Maximum 4294967296)', String(this.random))
      .replace(/\$(\w+)/g, (_, name) => this.variable(name));
    const whole = filled.replace(/\[Math\]::Floor\((\d+) \/ (\d+)\)/g, (_, a, b) =>
      String(BigInt(a) / BigInt(b)),
    );
    if (!/^[\d +*%()-]+$/.test(whole)) throw new Error(`unknown number: ${text}`);
    // Without a quotient, all numbers are whole, and PowerShell keeps them exact within 64 bits.
    const result: bigint = new Function(`return ${whole.replace(/\d+/g, '$&n')}`)();
    if (BigInt.asIntN(64, result) !== result) throw new Error(`${text} is a double in PowerShell`);
    return String(result);
  }

  /** An expression of bytes. */
  private bytes(text: string): Buffer {
    const [, terms] = /^\[byte\[\]\]\((.*)\)$/.exec(text) ?? [];
    if (terms !== undefined) return Buffer.concat(terms.split(/ \+ (?=\[)/).map((term) => this.bytes(term)));
    const [, base64] = /^\[Convert\]::FromBase64String\('([A-Za-z0-9+/=]*)'\)$/.exec(text) ?? [];
    if (base64 !== undefined) return Buffer.from(base64, 'base64');
    const [, ascii] = /^\[Text\.Encoding\]::ASCII\.GetBytes\((.*)\)$/.exec(text) ?? [];
    if (ascii === undefined) throw new Error(`unknown bytes: ${text}`);
    return Buffer.from(this.sum(ascii), 'ascii');
  }

  /** Texts that + joins. */
  private sum(text: string): string {
    let [rest, result] = [text, ''];
    while (rest !== '') {
      const times = /^\('(.)' \* (\d+)\)/.exec(rest);
      const single = /^'((?:[^']|'')*)'/.exec(rest);
      const double = /^"((?:[^"`]|`.)*)"/.exec(rest);
      const variable = /^\$\{([\w:]+)\}/.exec(rest);
      const [term] = times ?? single ?? double ?? variable ?? [];
      if (term === undefined) throw new Error(`unknown text: ${rest}`);
      if (times !== null) result += (times[1] as string).repeat(Number(times[2]));
      else if (single !== null) result += (single[1] as string).replaceAll("''", "'");
      else if (double !== null) result += this.expanded(double[1] as string);
      else result += this.variable(variable?.[1] as string);
      rest = rest.slice(term.length).replace(/^ \+ /, '');
    }
    return result;
  }

  /** A text in double quotes. */
  private expanded(text: string): string {
    return text.replace(/`(.)|\$\{([\w:]+)\}|\$\(\)|\$(\w+)/g, (all, escaped, braced, plain) => {
      if (escaped !== undefined) return escaped;
      if (all === '$()') return '';
      return this.variable(braced ?? plain);
    });
  }

  /** A program with arguments: PowerShell makes one command line of them, and the program splits it again. */
  private start(line: string): void {
    if (!this.isLegacy) throw new Error('newer versions would escape quotes themselves');
    const words = [...line.matchAll(/'((?:[^']|'')*)'|"((?:[^"`]|`.)*)"|(\S+)/g)].map(
      ([, single, double, plain]) => {
        if (single !== undefined) return single.replaceAll("''", "'");
        if (double !== undefined) return this.expanded(double);
        if (/[$`'"(){};|&<>@#,]/.test(plain as string))
          throw new Error(`PowerShell reads ${plain} in another way`);
        return plain as string;
      },
    );
    // An argument with a space outside quotes gets quotes around it. Nothing in it is escaped.
    const commandLine = words
      .map((word) => (/\s/.test(word.replace(/"(?:\\"|[^"])*"/g, '')) ? `"${word}"` : word))
      .join(' ');
    this.started.push(argumentsOf(commandLine));
  }
}

/** As C programs on Windows split a command line, from the documentation of Microsoft for `main`. */
export function argumentsOf(line: string): string[] {
  const found: string[] = [];
  let [text, isQuoted, isOpen] = ['', false, false];
  for (let at = 0; at < line.length; at++) {
    const [backslashes = ''] = /^\\*(?=")/.exec(line.slice(at)) ?? [];
    if (backslashes !== '') {
      // 2n backslashes before a quote are n of them; one more, and the quote is a part of the argument.
      text += '\\'.repeat(Math.floor(backslashes.length / 2));
      at += backslashes.length;
      if (backslashes.length % 2 === 1) text += '"';
      else isQuoted = !isQuoted;
    } else if (line[at] === '"') {
      [isQuoted, isOpen] = [!isQuoted, true];
    } else if (/[ \t]/.test(line[at] ?? '') && !isQuoted) {
      if (text !== '' || isOpen) found.push(text);
      [text, isOpen] = ['', false];
    } else text += line[at];
  }
  return text === '' && !isOpen ? found : [...found, text];
}
