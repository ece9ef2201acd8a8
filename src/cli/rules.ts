import type { CatalogueEntry } from '../conformance/catalogue.js';
import { placeOf } from '../conformance/rule.js';
import { rulesVersion } from '../conformance/topics/index.js';
import type { Recipe } from '../report/frame.js';
import { type Style, styleFor } from '../report/terminal-text.js';
import { counted } from '../report/wording.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, type ToolkitError } from '../toolkit-error.js';
import { defineCommand, flag, repeated } from './command.js';
import { houseRulesFrom } from './house-rules.js';
import { wantsColor } from './io.js';

/** `plant-store-contract rules [id]` lists the rules, or explains one. It needs no provider. */
export const command = defineCommand({
  description:
    'Lists the rules that `check` judges, or explains one: why the interface demands it, which requests are sent, ' +
    'what usually breaks it, and how to fix that. Needs no provider.',
  args: [{ form: '[id]', help: 'the rule to explain, or a topic or level whose rules to list' }],
  flags: [
    flag('--rules <module>', 'a module with rules of your own (JavaScript); can be repeated', repeated),
    flag('--json', 'write JSON, with the version of the rules'),
  ],
  hasFileOptions: false,
  async run(given, io) {
    const { json = false, rules: modules = [] } = given.flags;
    const [id] = given.args;
    const { catalogue } = await import('../conformance/catalogue.js');
    const entries = catalogue(await houseRulesFrom(modules, io));
    const chosen = id === undefined ? entries : entries.filter((entry) => isMeant(entry, id));
    if (chosen.length === 0) throw unknown(id ?? '', entries);
    const explained = chosen.find((entry) => entry.id === id);
    const style = styleFor(wantsColor(io.stdout, io.env));
    if (json) io.stdout.write(`${JSON.stringify({ rulesVersion, rules: chosen }, null, 2)}\n`);
    else if (explained === undefined) io.stdout.write(listed(chosen, style));
    else {
      const { recipesOf } = await import('../conformance/report/causes.js');
      io.stdout.write(explanation(explained, recipesOf(explained), style));
    }
    return 0;
  },
});

function isMeant({ id, topic, level }: CatalogueEntry, word: string): boolean {
  return id === word || topic === word || level === word;
}

function unknown(word: string, entries: readonly CatalogueEntry[]): ToolkitError {
  const known = new Set(entries.flatMap(({ id, topic, level }) => [topic, level, id]));
  return invalidOption(
    `unknown rule "${word}"${didYouMean(word, [...known]) || '; `plant-store-contract rules` lists them'}`,
  );
}

function listed(entries: readonly CatalogueEntry[], { bold, dim }: Style): string {
  const lines: string[] = [];
  let topic = '';
  for (const entry of entries) {
    if (entry.topic !== topic) lines.push(...(topic === '' ? [] : ['']), bold(entry.topic));
    topic = entry.topic;
    lines.push(`  ${entry.id} ${dim(kindOf(entry))}`, `    ${entry.title}`);
  }
  const demands = entries.filter(({ level }) => level !== 'unspecified').length;
  lines.push(
    '',
    `${counted(entries.length, 'rule')}: ${demands} judged, ${entries.length - demands} only observed. Version ${rulesVersion} of the rules.`,
  );
  return `${lines.join('\n')}\n`;
}

/** `documented`, `implied, a warning` */
function kindOf({ level, severity }: CatalogueEntry): string {
  return severity === 'warning' ? `${level}, a warning` : level;
}

/** How many requests of a rule are listed. */
const MOST = 5;

/** A rule on one screen. */
function explanation(entry: CatalogueEntry, recipes: readonly Recipe[], { bold, dim }: Style): string {
  const { id, title, source, why, probes, usualCause, fix } = entry;
  const lines = [
    `${bold(id)} ${dim(kindOf(entry))}`,
    title,
    '',
    `${bold('Why')}  ${why}`,
    ...(source === undefined ? [] : [`${bold('Source')}  ${placeOf({ source })}`]),
  ];
  if (usualCause !== undefined) lines.push('', `${bold('Usual cause')}  ${usualCause}`);
  if (fix !== undefined) lines.push(`${bold('Fix')}  ${fix}`);
  lines.push('', `${bold('Requests')}  ${probes.length}`);
  lines.push(...probes.slice(0, MOST).map(({ name, title: sent }) => `  ${sent} ${dim(name)}`));
  if (probes.length > MOST) lines.push(dim(`  ${probes.length - MOST} more, which --json has`));
  for (const { framework, text, code } of recipes)
    lines.push(
      '',
      `${bold(`Recipe for ${framework}`)}  ${text}`,
      ...code.split('\n').map((line) => line && `  ${line}`),
    );
  return `${lines.join('\n')}\n`;
}
