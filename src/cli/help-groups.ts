import type { Command, Option } from 'commander';

/** The flags of a command by heading, in the order in which its help has them: the common ones first. */
export type HelpGroups = Readonly<Record<string, readonly string[]>>;

/** Sorts the flags of a command into groups of its help. Flags that no group names come last. */
export function withHelpGroups(command: Command, groups: HelpGroups): Command {
  const order = Object.values(groups).flat();
  for (const [heading, flags] of Object.entries(groups))
    for (const option of command.options.filter(({ long }) => flags.includes(long ?? '')))
      option.helpGroup(`${heading}:`);
  const placeOf = ({ long }: Option): number => {
    const at = order.indexOf(long ?? '');
    return at === -1 ? order.length : at;
  };
  // Commander shows the groups in the order of the flags.
  (command.options as Option[]).sort((one, other) => placeOf(one) - placeOf(other));
  return command;
}
