import { runContained } from './contained.js';

// Where the single file starts: with the command line, or with a script that it contains, if `startNode` started it.

const [, , first = ''] = process.argv;
if (first.startsWith('file:///')) runContained(new URL(first).pathname, require);
else void import('../../cli/main.js');
