// `npm run bench:peers`: what other tools find in this interface. README.md describes it and has the table.
import { packagesOf } from '../../../packages.mjs';
import { machine } from '../machine.mjs';
import { install } from './install.mjs';
import { chosen, HELP, optionsFrom } from './options.mjs';
import { allProviders } from './providers.mjs';
import { Results } from './results.mjs';
import { runTool } from './run-tool.mjs';
import { tableOf } from './table.mjs';
import { TOOLS } from './tools.mjs';

try {
  await main(optionsFrom(process.argv.slice(2)));
} catch (cause) {
  if (!(cause instanceof TypeError)) throw cause;
  process.stderr.write(`${cause.message}\n\n${HELP}`);
  process.exitCode = 2;
}
process.exit();

async function main(options) {
  if (options.help) process.stdout.write(HELP);
  else if (options.list) process.stdout.write(TOOLS.map(described).join('\n'));
  else if (options.install !== undefined) await install(options.install);
  else await compare(options);
}

function described({ name, settings, page }) {
  return `${name}\n  ${settings}\n  ${page}\n`;
}

async function compare(options) {
  const tools = toolsFrom(options.peers);
  await packagesOf('frameworks');
  const all = await allProviders();
  const providers = chosen(all, options);
  const results = new Results(options.json);
  const found = [];
  for (const tool of tools) {
    const state = await tool.find(options.tools);
    found.push({ name: tool.name, ...state });
    if (state.missing !== undefined) process.stderr.write(`${tool.name}: ${state.missing}\n`);
    else if (!options.table)
      await runAll(tool, state.version, providers, { ...options, module: all.module, results });
  }
  process.stdout.write(`${machine()}\n\n${tableOf(found, results.runs)}`);
}

function toolsFrom(names) {
  const unknown = names?.find((name) => !TOOLS.some((tool) => tool.name === name));
  if (unknown !== undefined) throw new TypeError(`there is no tool "${unknown}"`);
  return TOOLS.filter(({ name }) => names === undefined || names.includes(name));
}

async function runAll(tool, version, providers, { results, module, tools, limitMs }) {
  const left = providers.filter((provider) => !results.has(tool.name, provider));
  for (const [at, provider] of left.entries()) {
    const outcome = await runTool(tool, provider, { module, tools, limitMs });
    results.add({ tool: tool.name, version, provider, ...outcome });
    const { failed, findings, seconds } = outcome;
    const verdict = `${failed ? 'fails' : 'passes'}, ${findings.length} findings, ${seconds} s`;
    process.stderr.write(`${tool.name} ${at + 1}/${left.length} ${provider.name}: ${verdict}\n`);
  }
}
