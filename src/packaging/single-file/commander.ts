// Takes the place of src/cli/commander.ts in the single file, where `require` finds no packages.
export { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
