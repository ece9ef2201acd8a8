import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { definedOnly } from '../../defined-only.js';
import { isHttpUrl, urlOf } from '../../http/address.js';
import { createRedactor } from '../../report/redaction.js';
import { ToolkitError } from '../../toolkit-error.js';
import { requireOfPact } from '../installed-pact.js';
import { checkAny, pactsIn } from '../pacts.js';
import { type Ran, type VerifyReport, verifyReport } from './report.js';
import { type PactVerifierSettings, type SeenInteraction, Verification } from './verifier-options.js';
import type { Message, Task } from './verifier-process.js';

/** The options of Pact's verifier for a broker, by Pact's own names. */
export interface BrokerOptions {
  readonly pactBrokerUrl?: string | undefined;
  readonly pactBrokerToken?: string | undefined;
  readonly pactBrokerUsername?: string | undefined;
  readonly pactBrokerPassword?: string | undefined;
  /** Default: the main branches, the branch of the provider, and everything deployed or released. */
  readonly consumerVersionSelectors?: readonly object[] | undefined;
  readonly consumerVersionTags?: readonly string[] | undefined;
  readonly enablePending?: boolean | undefined;
  readonly includeWipPactsSince?: string | undefined;
  readonly publishVerificationResult?: boolean | undefined;
  readonly providerVersion?: string | undefined;
  readonly providerVersionBranch?: string | undefined;
  readonly providerVersionTags?: readonly string[] | undefined;
  readonly buildUrl?: string | undefined;
}

/** Options of {@link verify}. */
export interface VerifyOptions extends Omit<PactVerifierSettings, 'token' | 'states'> {
  readonly token: string;
  /** Files, folders and URLs. Default: those of the broker, or the pact of the reference client. */
  readonly pacts?: readonly string[] | undefined;
  readonly broker?: BrokerOptions | undefined;
  /** A URL that sets provider states up, in Pact's format. */
  readonly stateUrl?: string | undefined;
  /** Stops the verification, which then throws. */
  readonly signal?: AbortSignal | undefined;
}

/** The pact of the reference client, which is part of this package. */
const SHIPPED_PACT = fileURLToPath(
  new URL('../../../pacts/plant-store-client-plant-store.json', import.meta.url),
);

/**
 * Verifies a provider with Pact's own verifier, in a process of its own.
 *
 * @returns a report on each interaction, also if some fail or the provider cannot be tested
 * @throws ToolkitError `invalid-option`; `missing-package` if Pact is not installed; `no-pact` or `wrong-provider` if there is
 *   nothing to verify; `pact-broke` if Pact ends without a result, is stopped by the signal, or takes too long
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const startedAt = new Date();
  const { pacts, broker = {}, stateUrl, signal, ...settings } = options;
  const { headers = [], token } = settings;
  // An invalid option is an error before a process starts.
  const { provider, providerBaseUrl: baseUrl } = new Verification(settings, { stateUrl }).options;
  if (broker.pactBrokerUrl !== undefined) urlOf('the broker', broker.pactBrokerUrl, OF_BROKER);
  requireOfPact();
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-pacts-'));
  try {
    const asked = pacts ?? (broker.pactBrokerUrl === undefined ? [SHIPPED_PACT] : undefined);
    const { planned, unread, leftOut } =
      asked === undefined
        ? { planned: [fromBroker(broker)], unread: [], leftOut: [] }
        : await fromSources(asked, provider, broker, folder);
    const runs = planned.map(({ options, keepsToken }) => ({ options, keepsToken }));
    const { untestable, results, printed } = await untilServersAnswer({ settings, stateUrl, runs }, signal);
    const redactor = createRedactor([
      { value: token, shown: '$PLANT_STORE_TOKEN' },
      ...headers.map(([, value]) => ({ value })),
      { value: broker.pactBrokerToken ?? '', shown: '$PACT_BROKER_TOKEN' },
      { value: broker.pactBrokerPassword ?? '', shown: '$PACT_BROKER_PASSWORD' },
    ]);
    const ran = planned.map((plan, at) => ({ ...plan, ...(results[at] ?? NO_RESULT) }));
    const found = { ran, unread, leftOut, untestable, printed };
    return verifyReport({ provider, baseUrl, ...found, broker, startedAt, redactor });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the credentials of a broker belong. */
const OF_BROKER = 'the broker has options for them, pactBrokerUsername and pactBrokerPassword';

/** What one run of Pact verifies. */
type Planned = Pick<Ran, 'where' | 'pact' | 'copy'> & Task['runs'][number];

/** Pact's own client gets the pacts. */
function fromBroker(broker: BrokerOptions): Planned {
  const { providerVersionBranch: branch, consumerVersionTags } = broker;
  // Pact's documentation recommends these.
  const usual = [
    { mainBranch: true },
    ...(branch === undefined ? [] : [{ matchingBranch: true }]),
    { deployedOrReleased: true },
  ];
  const consumerVersionSelectors =
    broker.consumerVersionSelectors ?? (consumerVersionTags === undefined ? usual : undefined);
  const options = definedOnly({ ...broker, consumerVersionSelectors });
  return { where: broker.pactBrokerUrl ?? '', options, keepsToken: [] };
}

/**
 * The pacts in files, which are checked first, and those at URLs, which Pact gets itself. It gets copies of files: its library
 * cannot read a package in a zip file of Yarn, and a pipe is read only once.
 */
async function fromSources(
  sources: readonly string[],
  provider: string,
  broker: BrokerOptions,
  folder: string,
): Promise<{ planned: Planned[]; unread: readonly string[]; leftOut: readonly string[] }> {
  const urls = [...new Set(sources.filter(isHttpUrl))];
  const paths = sources.filter((source) => !isHttpUrl(source));
  const { pacts, unread, leftOut } = await pactsIn(paths, provider);
  if (urls.length === 0) checkAny(provider, { pacts, unread, leftOut });
  const planned = urls.map((url): Planned => {
    return { where: url, options: optionsFor(url, broker), keepsToken: [] };
  });
  for (const [at, { where, text, pact }] of pacts.entries()) {
    const copy = join(folder, `${at}.json`);
    await writeFile(copy, text);
    // 401 and 403 mean in every provider that the token of the interaction is rejected.
    const keepsToken = pact.interactions.flatMap(({ response: { statuses } }, index) =>
      (statuses.includes(401) || statuses.includes(403)) && !statuses.includes(400) ? [index] : [],
    );
    planned.push({ where, pact, copy, options: { pactUrls: [copy] }, keepsToken });
  }
  return { planned, unread, leftOut };
}

/** Only the broker gets the credentials of the broker. */
function optionsFor(text: string, broker: BrokerOptions): object {
  const url = urlOf('a pact', text, OF_BROKER);
  const { pactBrokerUrl, pactBrokerToken, pactBrokerUsername, pactBrokerPassword, ...others } = broker;
  const isBroker = pactBrokerUrl !== undefined && new URL(pactBrokerUrl).origin === url.origin;
  const credentials = isBroker ? { pactBrokerToken, pactBrokerUsername, pactBrokerPassword } : {};
  return definedOnly({ ...others, ...credentials, pactUrls: [text] });
}

/** Pact prints whole bodies of pacts. Only its end says why it broke. */
const KEPT_OUTPUT = 50_000;
const LAST_LINES = 5;

/** What the process of Pact has said. */
interface Ended {
  readonly untestable: string | undefined;
  /** One for each run. */
  readonly results: readonly Pick<Ran, 'result' | 'interactions'>[];
  /** The end of what it has printed. */
  readonly printed: string;
}

const NO_RESULT = { result: '', interactions: [] };

/** Pact asks a server again that answers with 5xx, and not one that resets a connection. */
const PAUSES_MS = [1_000, 2_000];
const NO_ANSWER =
  /(?:Failed to load pact|Publishing of verification results failed)[^\n]{0,1000}(?:error sending request|connection (?:reset|closed))/i;

/** Runs Pact again if a server gave no answer. The results are published again, too, which a broker expects. */
async function untilServersAnswer(task: Task, signal: AbortSignal | undefined): Promise<Ended> {
  for (const pause of PAUSES_MS) {
    const ended = await runPact(task, signal);
    const said = [...ended.results.map(({ result }) => result), ended.printed];
    if (!said.some((text) => NO_ANSWER.test(text))) return ended;
    await sleep(pause, undefined, { ...(signal && { signal }) }).catch(() => {});
  }
  return await runPact(task, signal);
}

/** From the sources, as in tests, the process needs a loader for TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const PROCESS = fileURLToPath(new URL(`./verifier-process.${isSource ? 'ts' : 'js'}`, import.meta.url));

/** How long it may say nothing: longer than a state, a request, or Pact's waiting for a broker that fails. */
const QUIET_MS = 100_000;

/** Runs Pact's verifier. */
async function runPact(task: Task, signal: AbortSignal | undefined): Promise<Ended> {
  if (task.runs.length === 0) return { untestable: undefined, results: [], printed: '' };
  const child = fork(PROCESS, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: environment(process.env),
    execArgv: isSource ? ['--import', 'tsx'] : [],
  });
  // Pact's own code runs in it, and might handle another signal.
  const stop = (): void => void child.kill('SIGKILL');
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-KEPT_OUTPUT);
    });
  let untestable: string | undefined;
  let isLate = false;
  let interactions: SeenInteraction[] = [];
  const results: Ended['results'][number][] = [];
  const late = setTimeout(() => {
    isLate = true;
    stop();
  }, QUIET_MS);
  child.on('message', (message: Message) => {
    late.refresh();
    if ('untestable' in message) untestable = message.untestable;
    else if ('interaction' in message) interactions.push(message.interaction);
    else {
      results.push({ result: message.result, interactions });
      interactions = [];
    }
  });
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (signal?.aborted === true) stop();
    child.send(task, () => {});
    const [code, by] = await once(child, 'close');
    if (signal?.aborted === true) throw new ToolkitError('pact-broke', 'the verification was stopped');
    if (untestable === undefined && results.length < task.runs.length) {
      const how = isLate
        ? `said nothing for ${QUIET_MS / 1000} s`
        : `ended ${by === null ? `with exit code ${code}` : `by ${by}`}`;
      const last = printed.trim().split('\n').slice(-LAST_LINES).join('\n');
      throw new ToolkitError('pact-broke', `Pact's verifier ${how} and has no result: ${last}`);
    }
    return { untestable, results, printed };
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** Pact would use a proxy even for its own server, a broker besides the files, and filters of interactions. */
function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(?:https?_proxy|all_proxy|PACT_(?!DO_NOT_TRACK|PLUGIN).*)$/i.test(name),
  );
  // It may have a loader, as with Yarn Plug'n'Play. A debugger would wait, or want a port that is in use.
  const NODE_OPTIONS = (env.NODE_OPTIONS ?? '').replaceAll(/(?:^|\s)--inspect\S*/g, '');
  // Pact sends usage data only if the user allows it.
  return { PACT_DO_NOT_TRACK: 'true', ...Object.fromEntries(kept), NODE_OPTIONS };
}
