import type { Command } from 'commander';
import picocolors from 'picocolors';
import type { CatalogueEntry } from '../conformance/catalogue.js';
import { ToolkitError } from '../toolkit-error.js';
import { type CommandIo, wantsColor } from './io.js';

type Colors = ReturnType<typeof picocolors.createColors>;

/** `plant-store rules [id]`: lists the rules, or explains one. Needs no provider. */
export function addRulesCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  program
    .command('rules')
    .argument('[id]', 'explain this rule; a topic or a level lists its rules')
    .summary('list the rules of the interface, or explain one')
    .description(
      'Lists the rules that `check` judges, or explains one: why the interface demands it, what is sent, how it is ' +
        'usually broken, and how to mend that. Needs no provider.',
    )
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, { json = false }: { json?: boolean }) => {
      const { catalogue } = await import('../conformance/catalogue.js');
      const entries = catalogue();
      const chosen = id === undefined ? entries : entries.filter((entry) => isMeant(entry, id));
      if (chosen.length === 0) throw unknown(id ?? '', entries);
      const explained = chosen.find((entry) => entry.id === id);
      const colors = picocolors.createColors(wantsColor(io.stdout, io.env));
      if (json) io.stdout.write(`${JSON.stringify(explained ?? chosen, null, 2)}\n`);
      else io.stdout.write(explained === undefined ? listed(chosen, colors) : explanation(explained, colors));
      conclude(0);
    });
}

function isMeant({ id, topic, level }: CatalogueEntry, word: string): boolean {
  return id === word || topic === word || level === word;
}

function unknown(word: string, entries: readonly CatalogueEntry[]): ToolkitError {
  const near = entries.filter(({ id }) => id.includes(word)).map(({ id }) => id);
  const hint =
    near.length > 0 ? `did you mean ${near.slice(0, 3).join(' or ')}?` : '`plant-store rules` lists them';
  return new ToolkitError('invalid-option', `there is no rule "${word}"; ${hint}`);
}

function listed(entries: readonly CatalogueEntry[], { bold, dim }: Colors): string {
  const lines: string[] = [];
  let topic = '';
  for (const entry of entries) {
    if (entry.topic !== topic) lines.push(...(topic === '' ? [] : ['']), bold(entry.topic));
    topic = entry.topic;
    lines.push(`  ${entry.id} ${dim(entry.level)}`, `    ${entry.title}`);
  }
  const demands = entries.filter(({ level }) => level !== 'unspecified').length;
  lines.push('', `${demands} demands, and ${entries.length - demands} behaviours that are left open.`);
  return `${lines.join('\n')}\n`;
}

function explanation(entry: CatalogueEntry, { bold, dim }: Colors): string {
  const { id, title, level, source, why, probes, broken, mend } = entry;
  const place = source.rule === undefined ? source.section : `${source.section}, rule ${source.rule}`;
  const lines = [
    `${bold(id)} ${dim(level)}`,
    title,
    '',
    `${bold('Why')}  ${why}`,
    `${bold('Where')}  Interface: ${place}; OpenAPI: ${source.pointer}`,
  ];
  if (broken !== undefined) lines.push('', `${bold('Usually broken')}  ${broken}`);
  if (mend !== undefined) lines.push(`${bold('To mend it')}  ${mend}`);
  lines.push('', bold('Judged by'), ...probes.map(({ name, title: sent }) => `  ${sent} ${dim(name)}`));
  return `${lines.join('\n')}\n`;
}
