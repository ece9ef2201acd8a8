import type { Completable } from './completable.js';

/** The completion of fish. */
export function fishCompletion(commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ name, summary, flags, words }) => {
    const on = `complete -c plant-store -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c plant-store -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...flags.map(({ flag, description, value }) => {
        const begin = `${on} -l ${flag.slice(2)} -d ${quoted(description)}`;
        if (value === 'none') return begin;
        if (value === 'file') return `${begin} -r -F`;
        return value === 'text' ? `${begin} -x` : `${begin} -x -a ${quoted(value.join(' '))}`;
      }),
      ...(words.length === 0 ? [] : [`${on} -f -a ${quoted(words.join(' '))}`]),
    ];
  });
  return `# Completion of plant-store for fish: plant-store completion fish | source\n${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
