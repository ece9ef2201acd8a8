import type { Faults } from '../../../../src/server/faults/fault.js';
import { changesResponse, changesStrings, rendersOther } from '../../../../src/server/faults/responses.js';

const LONGEST_TAG = 64;

/** The response to a creation is wrong. */
export const responseFaults = {
  'renders-empty-tag': {
    title: 'A plant without a tag is returned with an empty tag.',
    breaks: ['success/absent-tag-stays-absent'],
    replace: rendersOther((plant) => ({ ...plant, tag: plant.tag ?? '' })),
  },
  'swaps-name-and-tag': {
    title: 'A plant with a tag is returned with name and tag exchanged.',
    breaks: ['success/name-comes-back', 'success/tag-comes-back', 'success/texts-come-back'],
    replace: rendersOther(({ id, name, tag }) =>
      tag === undefined ? { id, name } : { id, name: tag, tag: name },
    ),
  },
  'lower-cases-name': {
    title: 'Names are returned in lower case.',
    breaks: ['success/name-comes-back', 'success/texts-come-back'],
    replace: rendersOther((plant) => ({ ...plant, name: plant.name.toLowerCase() })),
  },
  'loses-astral-characters': {
    title: 'Characters above U+FFFF are returned as question marks.',
    breaks: ['success/texts-come-back'],
    replace: changesStrings((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  'truncates-tags': {
    title: `Tags are cut off after ${LONGEST_TAG} characters.`,
    breaks: ['success/texts-come-back'],
    replace: rendersOther((plant) =>
      plant.tag === undefined ? plant : { ...plant, tag: [...plant.tag].slice(0, LONGEST_TAG).join('') },
    ),
  },
  'answers-byte-order-mark': {
    title: 'The response to a creation begins with a byte-order mark.',
    breaks: ['success/body-is-json'],
    replace: changesResponse((response) => ({ ...response, body: `\uFEFF${response.body}` })),
  },
  'loses-single-characters': {
    title: 'A name or a tag of one character beyond ASCII comes back empty.',
    breaks: ['success/texts-come-back', 'success/tag-comes-back'],
    needsExploring: true,
    replace: changesStrings((text) => ([...text].length === 1 && text > '\x7f' ? '' : text)),
  },
} satisfies Faults;
