// Prints the mutants of StrykerJS of a file of JavaScript: `node with-stryker.mjs <file>`.
import { readFileSync } from 'node:fs';
import { commonTokens } from '@stryker-mutator/api/plugin';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';

const SETTINGS = { excludedMutations: [], ignorers: [], plugins: null };

const [file] = process.argv.slice(2);
const source = readFileSync(file, 'utf8');
const starts = [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
const silent = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].flatMap((level) => [
    [level, () => {}],
    [`is${level[0].toUpperCase()}${level.slice(1)}Enabled`, () => false],
  ]),
);

const instrumenter = createInstrumenter(createInjector().provideValue(commonTokens.logger, silent));
const { mutants } = await instrumenter.instrument([{ name: file, content: source, mutate: true }], SETTINGS);
process.stdout.write(
  JSON.stringify(
    mutants.map(({ mutatorName, replacement, location: { start, end } }) => ({
      operator: mutatorName,
      source: source.slice(0, offsetOf(start)) + replacement + source.slice(offsetOf(end)),
    })),
  ),
);

function offsetOf({ line, column }) {
  return starts[line] + column;
}
