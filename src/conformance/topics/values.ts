import { isPlainName, isPlainTag } from '../oracle.js';
import type { GeneratedName } from '../probe.js';
import type { Row } from '../row.js';
import type { Template } from '../template.js';
import { plantJson } from './strings/rows.js';
import type { StringClass } from './strings/values.js';

/** A value that a request carries beside what it is sent for. */
export interface Value {
  readonly of: 'name' | 'tag' | 'id';
  /** Its JSON. */
  readonly json: Template;
  /** The row that sends it in an otherwise plain plant. */
  readonly alone: Row<GeneratedName>;
}

/** The fields of a plant that are strings. */
export type Field = 'name' | 'tag';

const IS_PLAIN = { name: isPlainName, tag: isPlainTag };

/**
 * A text as a value.
 *
 * @param json writes it as JSON
 */
export function text(
  field: Field,
  { name, title }: Pick<StringClass, 'name' | 'title'>,
  template: Template,
  json: (text: string) => string = JSON.stringify,
): Value {
  if (IS_PLAIN[field](template)) return word(field, template);
  const [first, second] =
    field === 'name' ? ([template, undefined] as const) : (['<NAME>', template] as const);
  return {
    of: field,
    json: json(template),
    alone: {
      name: `strings/${field}-${name}`,
      title: `a plant whose ${field} is ${title}`,
      expectation: 'open',
      rules: ['success/texts-come-back'],
      control: field === 'name' ? 'plain-plant' : 'plain-plant-with-tag',
      requests: [{ body: plantJson(first, second, json) }],
    },
  };
}

/** A word that every provider accepts, whatever it means to a program. */
function word(field: Field, template: Template): Value {
  return {
    of: field,
    json: JSON.stringify(template),
    alone: {
      name: `strings/${field}-${template}`,
      title: `a plant whose ${field} is the word ${template}`,
      expectation: 'created',
      rules: ['success/plain-words-are-accepted', `success/${field}-comes-back`],
      control: field === 'name' ? 'plain-plant' : 'plain-plant-with-tag',
      requests: [{ body: field === 'name' ? plantJson(template) : plantJson('<NAME>', template) }],
    },
  };
}
