import { type ProbeDraft, probeFrom } from '../draft.js';
import { type Pieces, plantDraft } from '../draft-json.js';
import { FORGED_FIELD } from '../rejections/hostile-strings.js';
import { piecesIn } from '../text-drafts.js';

/**
 * The kind of strings, their description after "a plant whose name and tag", a name, and a tag. A provider that rejects one
 * string of a pair hides the other, so both are alike. `<NAME>` and `<ID1>` stand for fresh values, because names may have to be
 * unique.
 */
const PAIRS = [
  ['numbers', 'look like numbers', '<ID1>e3', '007'],
  ['other-values', 'look like a date and an array', '2026-01-02T03:04:05.<ID1>Z', '[7]'],
  ['prose-marks', 'have the marks of plain prose', "(<NAME>) d'Or-Noir, ssp. vera.", '-low, semi-hardy,'],
  ['marks', 'have further marks', '@<NAME> "A:B"; C/D & E!', '#a_b*c?d@e!f:'],
  ['code-marks', 'have marks of programming languages', '=<NAME>+1~A^B|C\\', "'a`b{c}d[e]f<g>h%i\\j'"],
  [
    'placeholders',
    'have placeholders of templates, formats and shells',
    `$1 $& \${<NAME>} #{x} %(x)s %s {0} :x $(id) \`id\` <%= x %> [[x]] ~`,
    '{{x}} {% x %} %d $$ \\0 \\u0041 &amp; %20+/',
  ],
  [
    'other-forms',
    'have letters with other forms in Unicode: composed, compatible, upper-case and lower-case',
    '<NAME> ﬁ Ａ ℌ ª ǆ ſ ß İ ı ς \u2126 \u212b \u1112\u1161\u11ab \ufa19',
    'é e\u0301 \u212b 한 \u1112\u1161\u11ab \ufa19 ß ² ½',
  ],
  [
    'invisible-characters',
    'have characters without a shape: directions, joiners, selectors, private ones, and noncharacters',
    '\ufeff<NAME>\u00ad A\u200e\u200f\u202aB\u202c\u2066C\u2069\u061c\u2060\u180e',
    '\ufeff♥\ufe0f ☂\ufe0e 👩\u200d🌾 \u{e0061} \ue000\u{f0000} \ufdd0\uffff\u{10ffff} \ufffd.',
  ],
  [
    'spaces',
    'have spaces of several kinds at both ends and inside',
    '\u3000<NAME>  A\u00a0B\u2009',
    '\u00a0a  b\u2003c\u205f',
  ],
  [
    'controls',
    'have tabs, line breaks and other control characters',
    `\t<NAME>\u001b[31m\r\n${FORGED_FIELD}: 1\r\n\u009f\n`,
    `a\tb\r\n${FORGED_FIELD}: 1\r\n\u0001\u007f\n`,
  ],
  [
    'hexadecimal-and-long',
    'look like a hexadecimal number and are long',
    '0x<ID1>',
    'medicinal '.repeat(150).trim(),
  ],
] as const;

/** Names and tags that a provider may reject. What it accepts must come back unchanged. */
export const pairProbes = PAIRS.map(([kind, description, name, tag]) =>
  probeFrom(
    openStringsDraft(kind, `a plant whose name and tag ${description}`, { name: piecesIn(name), tag }),
  ),
);

/** A plant with strings that a provider may reject. */
function openStringsDraft(
  kind: string,
  title: string,
  strings: { readonly name: Pieces; readonly tag?: Pieces },
): ProbeDraft {
  return {
    name: `strings/${kind}`,
    title,
    expectation: 'open',
    phase: 'valid',
    control: strings.tag === undefined ? 'plain-plant' : 'plain-plant-with-tag',
    rules: ['success/texts-come-back'],
    requests: [plantDraft(strings)],
  };
}
