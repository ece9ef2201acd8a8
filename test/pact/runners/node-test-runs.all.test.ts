import { losesNoInteraction, shownFor } from './runner.js';

const [, ...args] = shownFor('node-test').scripts.test.split(' ');

losesNoInteraction({
  name: 'node:test',
  files: {},
  head: "import { test } from 'node:test';",
  command: (processes) => [...args, `--test-concurrency=${processes}`],
  file: (name) => [name],
  named: (text) => [`--test-name-pattern=${text}`],
  // It says what it has to say as soon as it waits.
  watch: { flag: '--watch', waiting: 'in watch mode' },
});
