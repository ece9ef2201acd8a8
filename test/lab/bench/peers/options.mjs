import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run bench:peers [-- <option>…]

Runs other tools, and plant-store-contract check, against the reference server with each of its faults and against correct providers,
and prints a Markdown table. A tool that the machine does not have is named in it. All of it takes hours.

  --install <folder>   install the tools into a folder, from npm and PyPI, and end
  --tools <folder>     use the tools in this folder; others are looked for on PATH
  --peers <a,b>        only these tools; --list shows the names
  --faults <a,b>       only these faults
  --correct <number>   only so many correct providers, the reference server among them
  --json <file>        add the result of each run to this file as a line of JSON, and leave out the runs that it has
  --table              run nothing, and print the table of what the file has
  --limit <seconds>    end a tool that takes longer; default 60
  --list               print the tools, and what each is run with
  --help               show this
`;

/**
 * Reads the command line.
 *
 * @param {readonly string[]} args
 * @throws {TypeError} with one sentence, if an option is unknown or a number is none
 */
export function optionsFrom(args) {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({
    args: [...args],
    options: {
      install: text,
      tools: text,
      peers: text,
      faults: text,
      correct: text,
      json: text,
      limit: { ...text, default: '60' },
      table: flag,
      list: flag,
      help: flag,
    },
  });
  return {
    ...values,
    peers: values.peers?.split(','),
    faults: values.faults?.split(','),
    correct: numberOf('correct', values.correct),
    limitMs: numberOf('limit', values.limit) * 1000,
  };
}

function numberOf(name, value) {
  if (value === undefined) return undefined;
  if (!/^\d{1,6}$/.test(value)) throw new TypeError(`--${name} must be a whole number, not "${value}"`);
  return Number(value);
}

/**
 * The providers that the options ask for.
 *
 * @param {{ faults: import('./providers.mjs').Provider[], correct: import('./providers.mjs').Provider[] }} all
 * @param {Pick<ReturnType<typeof optionsFrom>, 'faults' | 'correct'>} options
 * @throws {TypeError} if there is no such fault
 */
export function chosen(all, { faults, correct }) {
  const unknown = faults?.find((name) => !all.faults.some((fault) => fault.name === name));
  if (unknown !== undefined) throw new TypeError(`there is no fault "${unknown}"`);
  const asked = ({ name }) => faults === undefined || faults.includes(name);
  return [...all.correct.slice(0, correct), ...all.faults.filter(asked)];
}
