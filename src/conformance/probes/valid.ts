import { defineProbe, type Probe } from '../probe.js';
import { creation, PLAIN_TAG, type PlantToSend, withBody, withMediaType } from './requests.js';

/** The controls of most others: the plainest plants there are. */
export const PLAIN_PLANT = 'plain-plant';
export const PLAIN_PLANT_WITH_TAG = 'plain-plant-with-tag';

/** A creation of one plant; what is not given is fresh. */
function plant(name: string, title: string, given: PlantToSend): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'created',
    control: given.tag === undefined ? PLAIN_PLANT : PLAIN_PLANT_WITH_TAG,
    phase: 'valid',
    requests: (material) => [creation(material, given)],
  });
}

function control(name: string, title: string, given: PlantToSend): Probe {
  const { control: none, ...probe } = plant(name, title, given);
  return { ...probe, phase: 'control' };
}

const controls = [
  control(PLAIN_PLANT, 'a plain plant without a tag', {}),
  control(PLAIN_PLANT_WITH_TAG, 'a plain plant with a tag', { tag: PLAIN_TAG }),
];

/** Words that stand for something else than a text in one language or another. */
const NAMES = ['null', 'true', 'NaN', 'constructor'];

const plainTexts = [
  plant('name-of-one-letter', 'a plant whose name is one letter', { name: 'A' }),
  defineProbe({
    name: 'name-of-30-letters',
    title: 'a plant whose name has 30 letters',
    expectation: 'created',
    control: PLAIN_PLANT,
    phase: 'valid',
    requests: (material) => [
      creation(material, { name: `${material.freshName()}${'barbadensis'.repeat(2).slice(2)}` }),
    ],
  }),
  ...NAMES.map((name) => plant(`name-${name}`, `a plant whose name is the word ${name}`, { name })),
  plant('tag-null', 'a plant whose tag is the word null', { tag: 'null' }),
];

/** A plain plant that is announced as JSON in another way. */
function announced(name: string, mediaType: string): Probe {
  return defineProbe({
    name,
    title: `a plain plant as ${mediaType}`,
    expectation: 'created',
    control: PLAIN_PLANT,
    phase: 'valid',
    requests: (material) => [withMediaType(creation(material), mediaType)],
  });
}

/** A plain plant whose JSON is written in another way. */
function spelt(name: string, title: string, spell: (name: string, id: string) => string): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'created',
    control: PLAIN_PLANT,
    phase: 'valid',
    requests(material) {
      const request = creation(material);
      return [withBody(request, spell(request.plant?.name ?? '', String(request.id)))];
    },
  });
}

const spellings = [
  announced('media-type-with-charset', 'application/json; charset=utf-8'),
  announced('media-type-in-capitals', 'Application/JSON'),
  spelt(
    'json-with-white-space',
    'a plain plant whose JSON has white space around and within it',
    (name, id) => `\r\n{\n\t"name" : "${name}" ,\n\t"id" : ${id}\n}\n`,
  ),
  spelt(
    'json-in-another-order',
    'a plain plant whose id comes before its name',
    (name, id) => `{"id":${id},"name":"${name}"}`,
  ),
  spelt(
    'json-with-escapes',
    'a plain plant whose JSON writes letters as \\u escapes',
    (name, id) => `{"n\\u0061me":"\\u0041${name.slice(1)}","id":${id}}`,
  ),
];

/** Plants that every provider creates, the controls first. */
export const validProbes: readonly Probe[] = [...controls, ...plainTexts, ...spellings];
