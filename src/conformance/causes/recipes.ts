import { readPackageFile } from '../../package-files.js';
import type { Recipe } from '../../report/frame.js';
import type { Exchange } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { authorOf, type Framework, frameworkOf } from './frameworks.js';

// A recipe is a fix as code. Each was applied to a provider that had the finding, and the finding was gone.
//
// In the files, `# Express` begins the recipes of a framework, and `## request/body-is-json, inexact ids` the recipe for these
// findings: a paragraph says what the code does and where it belongs, and the code begins with its imports. What every
// application of the framework has, such as `app`, it leaves out. Of two recipes for a finding, the later one counts.
// `# Part: name` defines code that stands wherever a line of code in the file is `<name>`.

/** Where the recipes are. They are read when a report first needs one. */
const FILES: readonly URL[] = [
  new URL('./recipes/javascript.md', import.meta.url),
  new URL('./recipes/nestjs.md', import.meta.url),
  new URL('./recipes/python.md', import.meta.url),
  new URL('./recipes/go.md', import.meta.url),
  new URL('./recipes/java.md', import.meta.url),
  new URL('./recipes/gateways.md', import.meta.url),
];

/** A value of another type is converted to that of the field. */
const CONVERTED_TYPES = [
  'types-are-converted',
  'booleans-count-as-integers',
  'request/name-is-a-string',
  'request/tag-is-a-string',
  'request/id-is-an-integer',
];

/** The id is checked against no bounds. */
const UNBOUNDED_IDS = ['id-is-unbounded', 'id-is-unsigned', 'request/id-is-within-int64'];

/** Names for the findings that one mistake causes: of causes, and of rules. */
const FINDINGS: Readonly<Record<string, readonly string[]>> = {
  'converted types': CONVERTED_TYPES,
  // Nobody looks at the body before it is used.
  'unchecked bodies': [
    ...CONVERTED_TYPES,
    'types-are-not-checked',
    'fractions-are-accepted',
    'null-counts-as-missing',
    'unhandled-exception',
    'request/null-tag-is-refused',
    'request/body-is-required',
    'request/body-is-an-object',
    'request/name-is-required',
    'request/id-is-required',
  ],
  'unbounded ids': UNBOUNDED_IDS,
  // The id is read into a type that does not hold every int64, and only them.
  'inexact ids': [
    ...UNBOUNDED_IDS,
    'id-through-a-double',
    'request/ids-are-exact',
    'request/int64-ids-are-accepted',
  ],
  // The response has more than a Plant.
  'whole records': ['absent-tag-is-null', 'record-is-serialised-whole', 'success/plant-fields-only'],
};

/** Recipes by the id of the finding. */
type ByFinding = ReadonlyMap<string, Recipe>;

/**
 * The recipe for a finding, if the framework is known.
 *
 * @param finding the id of the finding: of its cause, or of its rule
 * @param exchange the exchange that fails
 */
export function recipeFor(finding: string, { response }: Exchange, facts: Facts): Recipe | undefined {
  // A gateway has failures of its own, so a failure itself says first where it comes from.
  const author = response === undefined ? undefined : authorOf(response, facts);
  for (const framework of [author, frameworkOf(facts)]) {
    const found = framework === undefined ? undefined : recipes().get(framework)?.get(finding);
    if (found !== undefined) return found;
  }
  return undefined;
}

let known: ReadonlyMap<Framework, ByFinding> | undefined;

/** All recipes. */
export function recipes(): ReadonlyMap<Framework, ByFinding> {
  known ??= new Map(FILES.flatMap((file) => [...recipesIn(readPackageFile(file))]));
  return known;
}

/** A heading, the paragraph beneath it, and a block of code if there is one. */
const SECTION = /^(#{1,2}) (.+)\n\n(.+)\n(?:\n```(\w+)\n([\s\S]*?)\n```\n)?/gm;

function recipesIn(markdown: string): ReadonlyMap<Framework, ByFinding> {
  const found = new Map<Framework, ByFinding>();
  const parts = new Map<string, string>();
  let framework = '' as Framework;
  let ofFramework = new Map<string, Recipe>();
  for (const [, level, heading = '', text = '', language = '', written = ''] of markdown.matchAll(SECTION)) {
    const code = written.replace(/^<([\w ]+)>$/gm, (line, name: string) => parts.get(name) ?? line);
    if (heading.startsWith('Part: ')) parts.set(heading.slice('Part: '.length), code);
    else if (level === '#') {
      framework = heading as Framework;
      ofFramework = new Map();
      found.set(framework, ofFramework);
    } else {
      for (const finding of heading.split(', ').flatMap((one) => FINDINGS[one] ?? one))
        ofFramework.set(finding, { framework, text, language, code });
    }
  }
  return found;
}
