// @ts-check
// Run by action.yml: writes the words of the variable OPTIONS, each with a NUL after it. Its exit status is 2 if a quote is not
// closed.
import { shellWords } from './shell-words.mjs';

try {
  for (const word of shellWords(process.env.OPTIONS ?? '')) process.stdout.write(`${word}\0`);
} catch (error) {
  process.stderr.write(
    `plant-store-contract: the input "options": ${/** @type {Error} */ (error).message}\n`,
  );
  process.exitCode = 2;
}
