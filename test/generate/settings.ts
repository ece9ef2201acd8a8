import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Setting, settingsTable } from '../../src/server/settings.js';

// The parts of two files that say which settings the server has.

const root = new URL('../..', import.meta.url).pathname;

/** A file with a new part between the two lines that name it. */
function withPart(file: string, name: string, lines: readonly string[]): string {
  const text = readFileSync(join(root, file), 'utf8').split('\n');
  const start = text.findIndex((line) => line.includes(` ${name}: \`npm run generate\``));
  const end = text.findIndex((line) => line.includes(` End of ${name}`));
  if (start === -1 || end < start) throw new Error(`${file} has no lines that begin and end ${name}`);
  return [...text.slice(0, start + 1), ...lines, ...text.slice(end)].join('\n');
}

/** `spec/control.yaml`, with the options that the control interface can change. */
export function controlDocument(): string {
  const properties = Object.entries(settingsTable).flatMap(([name, setting]) => {
    if (setting.isChangeable !== true) return [];
    const { schema = { type: 'string', enum: setting.choices }, help, page } = setting;
    // With a text for the page, the help is only about the flag.
    const described = page === undefined ? { ...schema, description: help } : schema;
    const flow = stringify(described, {
      collectionStyle: 'flow',
      lineWidth: 0,
      aliasDuplicateObjects: false,
    });
    return `        ${name}: ${flow.trim().replaceAll('[ ', '[').replaceAll(' ]', ']')}`;
  });
  const head = [
    '    Options:',
    '      type: object',
    '      additionalProperties: false',
    '      properties:',
  ];
  return withPart('spec/control.yaml', 'Options', [...head, ...properties]);
}

/** The README of the server, with the table of its options. */
export function serverPage(): string {
  return withPart('docs/mock-server.md', 'Options', [
    '| Option | Flag of `serve` | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...Object.entries(settingsTable).map(([name, setting]) => rowOf(name, setting)),
  ]);
}

function rowOf(name: string, setting: Setting): string {
  const { flag, choices = [], help, page } = setting;
  const flagCell = flag === undefined ? '' : code(flag.split(' ')[0]);
  const words = choices.length === 0 ? '' : ` (${choices.map(code).join(', ')})`;
  const cells = [code(name), flagCell, defaultOf(setting), `${page ?? help}${words}`];
  return `| ${cells.join(' | ')} |`;
}

function defaultOf({ default: usual, defaultInWords }: Setting): string {
  if (defaultInWords !== undefined) return defaultInWords;
  if (usual === '') return 'none';
  if (typeof usual === 'number') return usual.toLocaleString('en');
  return typeof usual === 'string' || typeof usual === 'boolean' ? code(usual) : 'none';
}

function code(text: unknown): string {
  return `\`${text}\``;
}
