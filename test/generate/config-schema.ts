import { CONFIG_FILE } from '../../src/cli/config/find-file.js';
import {
  definitionOf,
  definitions,
  type FileOption,
  loadOptions,
  type ValueType,
} from '../../src/cli/config/option-table.js';

/** The JSON Schema of the options file, made from the flags of all commands. */
export async function configSchema(): Promise<object> {
  const all = await loadOptions();
  const everywhere = new Map<string, (readonly [string, FileOption])[]>();
  for (const command of all)
    for (const [name, option] of command.options)
      everywhere.set(name, [...(everywhere.get(name) ?? []), [command.name, option]]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Options of plant-store (${CONFIG_FILE})`,
    description:
      'An option at the top level is for every command that has it. Under the name of a command, it is for that command. ' +
      'A flag on the command line overrides both.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(
        [...everywhere].sort(byName).map(([name, options]) => [name, sharedSchema(options)]),
      ),
      ...Object.fromEntries(
        all.map(({ name: command, summary, options }) => [
          command,
          {
            type: 'object',
            description: `Options of ${command} alone: ${summary}.`,
            additionalProperties: false,
            properties: Object.fromEntries(
              [...options]
                .sort(byName)
                .map(([name, option]) => [name, valueSchema([option], option.description)]),
            ),
          },
        ]),
      ),
    },
    definitions,
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** An option at the top level, with the description of each command that has it. */
function sharedSchema(options: readonly (readonly [string, FileOption])[]): object {
  const texts = new Map<string, string[]>();
  for (const [command, { description }] of options)
    texts.set(description, [...(texts.get(description) ?? []), command]);
  const description = [...texts].map(([text, commands]) => `${commands.join(', ')}: ${text}`).join('\n');
  return valueSchema(
    options.map(([, option]) => option),
    description,
  );
}

function valueSchema(options: readonly FileOption[], description: string): object {
  const isSecret = options.every((option) => option.isSecret);
  const all = options.flatMap(({ types }) => types).map((type) => JSON.stringify(schemaOf(type, isSecret)));
  const different = [...new Set(all)].map((text) => JSON.parse(text));
  // Beside a $ref, draft 7 ignores everything.
  return { description, anyOf: different };
}

function schemaOf(type: ValueType, isSecret: boolean): object {
  const definition = definitionOf(type, isSecret);
  if (definition !== undefined) return { $ref: `#/definitions/${definition}` };
  return type.type === 'text' ? { enum: type.choices } : { type: 'boolean' };
}
