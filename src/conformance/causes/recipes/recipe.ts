/** A fix as code. */
export interface Code {
  /** What the code does, and where it belongs; sentences. */
  readonly text: string;
  /** The name of the language, if it is not that of the framework. */
  readonly language?: string;
  /** It begins with its imports. What every application of the framework has, such as `app`, it leaves out. */
  readonly code: string;
}

/** Recipes by the id of the finding: of its cause, or of its rule. */
export type ByFinding = Readonly<Record<string, Code>>;

/** The recipes of a framework. */
export interface Recipes {
  /** The name of its language, as Markdown has it. */
  readonly language: string;
  readonly byFinding: ByFinding;
}

/** Removes the outer line breaks of code in a template string. */
export function code(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw(strings, ...values)
    .replace(/^\n|\n\s*$/g, '')
    .replaceAll('\\`', '`')
    .replaceAll('\\${', '${');
}

/** One fix of several findings. */
export function fixOf(findings: readonly string[], fix: Code): ByFinding {
  return Object.fromEntries(findings.map((finding) => [finding, fix]));
}

/** A value of another type is converted to that of the field. */
export const CONVERTED_TYPES: readonly string[] = [
  'types-are-converted',
  'booleans-count-as-integers',
  'request/name-is-a-string',
  'request/tag-is-a-string',
  'request/id-is-an-integer',
];

/** Nobody looks at the body before it is used. */
export const UNCHECKED_BODIES: readonly string[] = [
  ...CONVERTED_TYPES,
  'types-are-not-checked',
  'fractions-are-accepted',
  'null-counts-as-missing',
  'unhandled-exception',
  'request/body-is-required',
  'request/body-is-an-object',
  'request/name-is-required',
  'request/id-is-required',
];

/** The id is checked against no bounds. */
export const UNBOUNDED_IDS: readonly string[] = [
  'id-is-unbounded',
  'id-is-unsigned',
  'request/id-is-within-int64',
];

/** The id is read into a type that does not hold every int64, and only them. */
export const INEXACT_IDS: readonly string[] = [
  ...UNBOUNDED_IDS,
  'id-through-a-double',
  'request/ids-are-exact',
  'request/int64-ids-are-accepted',
];

/** The response has more than a Plant. */
export const WHOLE_RECORDS: readonly string[] = [
  'absent-tag-is-null',
  'record-is-serialised-whole',
  'success/plant-fields-only',
];
