import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACTS = fileURLToPath(new URL('../../../pacts', import.meta.url));
const TOKEN = 'secret';
const withToken = ['--token', TOKEN];
/** Outside the ports that Linux gives to connections. */
const PORT = 24_017;
const INVALID_RESPONSE =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 23\r\n\r\n{"name":"Aloe","id":77}';

/**
 * Every command of `plant-store-contract`, with its exit status and a part of its output. `run` runs one to its end; `start` starts
 * one, and gives the URL that it prints; `stop` sends SIGTERM and waits.
 *
 * @type {readonly { what: string, exercise: (cli: import('./cli.mjs').CommandLine) => Promise<void> }[]}
 */
export const COMMANDS = [
  { what: '--version', exercise: (cli) => cli.run(['--version'], 0, /^\d+\.\d+\.\d+/) },
  { what: 'help', exercise: (cli) => cli.run(['check', '--help'], 0, /Usage: plant-store-contract check/) },
  { what: 'serve', exercise: (cli) => served(cli, [], async (url) => created(url)) },
  {
    what: 'check',
    exercise: (cli) =>
      served(cli, [], (url) => cli.run(['check', url, ...withToken], 0, /^conforms: \d+ pass/m)),
  },
  {
    what: 'check of a provider with a fault',
    exercise: (cli) =>
      served(cli, ['--fault', 'leaks-id'], (url) =>
        cli.run(['check', url, ...withToken], 1, /^does not conform: \d+ pass, 1 fail/m),
      ),
  },
  { what: 'check --start, with house rules', exercise: startedWithHouseRules },
  {
    what: 'check --explore',
    exercise: (cli) =>
      served(cli, [], (url) =>
        cli.run(
          ['check', url, ...withToken, '--explore', '--seed', '7', '--time', '2s'],
          0,
          /^Exploring sent \d{2,} requests/m,
        ),
      ),
  },
  { what: 'proxy', exercise: (cli) => served(cli, [], (url) => proxied(cli, url)) },
  {
    what: 'verify',
    exercise: (cli) =>
      served(cli, [], (url) =>
        cli.run(
          ['verify', url, ...withToken, '--pacts', PACTS],
          0,
          /^The provider satisfies 5 of 5 interactions\.$/m,
        ),
      ),
  },
  { what: 'audit', exercise: (cli) => cli.run(['audit', PACTS], 0, /^conforms: /m) },
  {
    what: 'validate',
    exercise: (cli) =>
      cli.run(['validate', 'response', cli.file('response.txt', INVALID_RESPONSE)], 1, /"id"/),
  },
  { what: 'rules', exercise: (cli) => cli.run(['rules'], 0, /^\d+ rules: \d+ judged/m) },
  { what: 'demo', exercise: (cli) => cli.run(['demo'], 0, /^conforms: \d+ pass/m) },
  {
    what: 'init',
    async exercise(cli) {
      await cli.run(['init', '--for', 'provider'], 0, /plant-store\.config\.json/);
      if (!existsSync(cli.path('plant-store.config.json'))) throw new Error('init wrote no options file');
    },
  },
  { what: 'a usage error', exercise: (cli) => cli.run(['check', '--no-such-flag'], 2, /unknown option/) },
];

const HOUSE_RULES = `export default [
  { id: 'house/answers', title: 'There is a status.', judge: ({ response }) => response.status > 0 ? undefined : 'none' },
];`;

async function startedWithHouseRules(cli) {
  const start = cli.quoted(['serve', '--port', String(PORT), ...withToken, '--log', 'silent']);
  const rules = cli.file('house.mjs', HOUSE_RULES);
  const argv = [
    'check',
    `http://127.0.0.1:${PORT}`,
    ...withToken,
    '--rules',
    rules,
    '--verbose',
    '--start',
    start,
  ];
  await cli.run(argv, 0, /^ +✓ There is a status\. house\/answers$/m);
}

async function served(cli, flags, use) {
  const server = await cli.start(['serve', ...withToken, '--log', 'silent', ...flags]);
  try {
    await use(server.url);
  } finally {
    await server.stop(0);
  }
}

/** An id beyond 2^53 must stay exact. */
async function created(url) {
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: '{"name":"Aloe","id":9007199254740993}',
  });
  const text = await response.text();
  if (response.status !== 200 || text !== '{"name":"Aloe"}')
    throw new Error(`the response is ${response.status} ${text}`);
}

async function proxied(cli, upstream) {
  const proxy = await cli.start(['proxy', '--upstream', upstream]);
  try {
    await created(proxy.url);
  } finally {
    await proxy.stop(0, /^The proxy forwarded 1 request; 0 got no response\./m);
  }
}
