import type { NewPlant } from '../../spec/types.js';
import type { Answer } from '../exchange.js';
import type { Steps } from '../steps.js';
import { defineFault } from './fault.js';

/** Answers a creation with other members than those of a Plant. */
function rendersBody(members: (plant: NewPlant) => unknown) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => ({ ...render(plant, request), body: JSON.stringify(members(plant)) }),
  });
}

/** Stores the plant as it is and answers with another. */
function rendersOther(other: (plant: NewPlant) => NewPlant) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => render(other(plant), request),
  });
}

/** Changes the finished answer to a creation. */
function changesAnswer(change: (answer: Answer) => Answer) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => change(render(plant, request)),
  });
}

function withoutTag({ name, id }: NewPlant): NewPlant {
  return { name, id };
}

function withTexts(plant: NewPlant, change: (text: string) => string): NewPlant {
  return plant.tag === undefined
    ? { ...plant, name: change(plant.name) }
    : { ...plant, name: change(plant.name), tag: change(plant.tag) };
}

/** Creations are answered in the wrong way. */
export const renderingFaults = [
  defineFault({
    name: 'answers-201',
    title: 'A creation is answered with 201.',
    breaks: ['success/status-is-200'],
    replace: changesAnswer((answer) => ({ ...answer, status: 201 })),
  }),
  defineFault({
    name: 'answers-204',
    title: 'A creation is answered with 204 and no body.',
    breaks: ['success/status-is-200'],
    replace: changesAnswer(() => ({ status: 204, headers: [], body: '' })),
  }),
  defineFault({
    name: 'leaks-id',
    title: 'The answer carries the id as well.',
    breaks: ['success/plant-fields-only'],
    replace: rendersBody(({ name, tag, id }) => ({ name, tag, id: Number(id) })),
  }),
  defineFault({
    name: 'adds-timestamp',
    title: 'The answer carries the time of creation as well.',
    breaks: ['success/plant-fields-only'],
    replace: rendersBody(({ name, tag }) => ({ name, tag, createdAt: new Date().toISOString() })),
  }),
  defineFault({
    name: 'omits-name',
    title: 'The answer has no name.',
    breaks: ['success/body-is-a-plant'],
    replace: rendersBody(({ tag }) => ({ tag })),
  }),
  defineFault({
    name: 'wraps-plant',
    title: 'The plant is a member of the answer instead of the answer.',
    breaks: ['success/body-is-a-plant', 'success/plant-fields-only'],
    replace: rendersBody(({ name, tag }) => ({ plant: { name, tag } })),
  }),
  defineFault({
    name: 'answers-list',
    title: 'The answer is an array with the plant in it.',
    breaks: ['success/body-is-a-plant'],
    replace: rendersBody(({ name, tag }) => [{ name, tag }]),
  }),
  defineFault({
    name: 'answers-no-body',
    title: 'A creation is answered with 200 and no body.',
    breaks: ['success/body-is-json'],
    replace: changesAnswer((answer) => ({ ...answer, body: '' })),
  }),
  defineFault({
    name: 'renders-null-tag',
    title: 'A plant without a tag comes back with a tag of null.',
    breaks: ['success/body-is-a-plant', 'success/absent-tag-stays-absent'],
    replace: rendersBody(({ name, tag = null }) => ({ name, tag })),
  }),
  defineFault({
    name: 'renders-empty-tag',
    title: 'A plant without a tag comes back with an empty one.',
    breaks: ['success/absent-tag-stays-absent'],
    replace: rendersOther((plant) => ({ ...plant, tag: plant.tag ?? '' })),
  }),
  defineFault({
    name: 'drops-tag',
    title: 'A plant with a tag comes back without it.',
    breaks: ['success/tag-comes-back'],
    replace: rendersOther(withoutTag),
  }),
  defineFault({
    name: 'swaps-name-and-tag',
    title: 'A plant with a tag comes back with name and tag exchanged.',
    breaks: ['success/name-comes-back', 'success/tag-comes-back', 'success/texts-come-back'],
    replace: rendersOther(({ id, name, tag }) =>
      tag === undefined ? { id, name } : { id, name: tag, tag: name },
    ),
  }),
  defineFault({
    name: 'lower-cases-name',
    title: 'Names come back in lower case.',
    breaks: ['success/name-comes-back', 'success/texts-come-back'],
    replace: rendersOther((plant) => ({ ...plant, name: plant.name.toLowerCase() })),
  }),
  defineFault({
    name: 'escapes-html',
    title: 'Texts come back with HTML escapes.',
    breaks: ['success/texts-come-back'],
    replace: rendersOther((plant) =>
      withTexts(plant, (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    ),
  }),
  defineFault({
    name: 'loses-astral-characters',
    title: 'Characters above U+FFFF come back as question marks.',
    breaks: ['success/texts-come-back'],
    replace: rendersOther((plant) =>
      withTexts(plant, (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
    ),
  }),
  defineFault({
    name: 'trims-texts',
    title: 'White space around texts is lost.',
    breaks: ['success/texts-come-back'],
    replace: rendersOther((plant) => withTexts(plant, (text) => text.trim())),
  }),
  defineFault({
    name: 'answers-text-plain',
    title: 'A creation is answered as text/plain.',
    breaks: ['success/media-type-is-json'],
    replace: changesAnswer((answer) => ({ ...answer, headers: ['content-type', 'text/plain'] })),
  }),
  defineFault({
    name: 'answers-byte-order-mark',
    title: 'A byte-order mark stands before the JSON of a creation.',
    breaks: ['success/body-is-json'],
    replace: changesAnswer((answer) => ({ ...answer, body: `\uFEFF${answer.body}` })),
  }),
  defineFault({
    name: 'answers-latin-1',
    title: 'The answer to a creation is encoded in Latin-1.',
    breaks: ['success/body-is-json'],
    replace: changesAnswer((answer) => ({ ...answer, body: Buffer.from(String(answer.body), 'latin1') })),
  }),
];
