import { singleRequestProbes } from '../../probe.js';
import { type ProbeDraft, probeFrom } from '../draft.js';
import { plantDraft } from '../draft-json.js';
import { creation } from '../requests.js';
import { piecesIn } from '../text-drafts.js';

const valid = singleRequestProbes('created', 'valid', 'plain-plant');
const validWithTag = singleRequestProbes('created', 'valid', 'plain-plant-with-tag');

const single = [
  valid('name-of-one-letter', 'a plant whose name is one letter', (values) =>
    creation(values, { name: 'A' }),
  ),
  valid('name-of-30-letters', 'a plant whose name has 30 letters', (values) =>
    creation(values, { name: values.freshName() + values.freshName() + values.freshName() }),
  ),
  // Words with a meaning in a programming language.
  ...(['null', 'true', 'NaN', 'constructor'] as const).map((name) =>
    valid(`name-${name}`, `a plant whose name is the word ${name}`, (values) => creation(values, { name })),
  ),
  {
    ...validWithTag('tag-null', 'a plant whose tag is the word null', (values) =>
      creation(values, { tag: 'null' }),
    ),
    rules: ['success/tag-comes-back'],
  },
];

/** Words that mean something to a program: as a name, and as a tag. */
const WORDS = [
  ['undefined', 'false'],
  ['None', 'true'],
  ['Infinity', 'no'],
  ['select', 'constructor'],
  ['script', 'undefined'],
  ['toString', 'none'],
  // A name in lower case, and a tag that is equal to it.
  ['agave', 'agave'],
] as const;

/** Plants whose name and tag every provider accepts, whatever they mean to a program. */
export const wordProbes = WORDS.map(([name, tag]) => probeFrom(wordDraft(name, tag)));

/** A plant with a plain name and a plain tag. */
export function wordDraft(name: string, tag: string): ProbeDraft {
  return {
    name: `strings/name-${name}-and-tag-${tag}`,
    title: `a plant whose name is ${name === '<NAME>' ? 'plain' : `the word ${name}`}, and whose tag is the word ${tag}`,
    expectation: 'created',
    phase: 'valid',
    control: 'plain-plant-with-tag',
    rules: ['success/plain-words-are-accepted', 'success/name-comes-back', 'success/tag-comes-back'],
    requests: [plantDraft({ name: piecesIn(name), tag })],
  };
}

/** Names and tags that every provider accepts. */
export const plainStringProbes = [...single, ...wordProbes];
