/** A fix as code. */
export interface Code {
  /** What the code does, and where it belongs; sentences. */
  readonly text: string;
  /** The name of the language, if it is not that of the framework. */
  readonly language?: string;
  readonly code: string;
}

/** The recipes of a framework. */
export interface Recipes {
  /** The name of its language, as Markdown has it. */
  readonly language: string;
  /** By the id of the finding: of its cause, or of its rule. */
  readonly byFinding: Readonly<Record<string, Code>>;
}

/** Removes the indent and the outer line breaks of code in a template string. */
export function code(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw(strings, ...values)
    .replace(/^\n|\n\s*$/g, '')
    .replaceAll('\\`', '`')
    .replaceAll('\\${', '${');
}
