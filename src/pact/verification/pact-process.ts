import { once } from 'node:events';
import { limits } from '../../http/limits.js';
import { startNode } from '../../package-files.js';
import { ToolkitError } from '../../toolkit-error.js';
import { requireOfPact } from '../load-pact.js';

/** The options of Pact's verifier that are used here. */
export type VerifierOptions = Readonly<Record<string, unknown>> & {
  readonly providerBaseUrl: string;
  readonly provider: string;
};

/** Pact's verifier in a separate process. */
export interface PactProcess {
  /** Verifies once, and returns Pact's result as JSON. Only one verification may run at a time. */
  verify(options: VerifierOptions): Promise<string>;
  /** Ends the process, and returns what Pact has printed, at least the last 2 MiB. */
  end(): Promise<string>;
  /** Ends it at once. */
  stop(): void;
}

const VERIFIER = new URL('./verifier-process.js', import.meta.url);
const LAST_LINES = 5;

/**
 * Starts a separate process for Pact's verifier. It always prints to standard output, and it would use a proxy or a
 * broker that the environment names.
 *
 * @throws ToolkitError `missing-package` if Pact is not installed
 */
export function startPactProcess(): PactProcess {
  const core = requireOfPact().resolve('@pact-foundation/pact-core');
  const child = startNode(VERIFIER, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment(process.env),
    windowsHide: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // Pact prints whole bodies of pacts.
      if (output.length > 2 * limits.body) output = output.slice(-limits.body);
    });
  const closed = once(child, 'close');
  const ended = once(child, 'exit').then(([code, signal]) => {
    const last = output.trim().split('\n').slice(-LAST_LINES).join('\n');
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    throw new ToolkitError('pact-broke', `Pact's verifier ended ${how} and has no result: ${last}`);
  });
  const nextResult = async (): Promise<string> => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message.result ?? '';
  };
  const ready = nextResult();
  for (const promise of [closed, ended, ready]) promise.catch(() => {});
  return {
    async verify(verifierOptions) {
      await ready;
      const result = nextResult();
      child.send({ core, options: verifierOptions });
      return result;
    },
    async end() {
      if (child.connected) child.send('end');
      await closed;
      return output;
    },
    stop() {
      // Pact's own code runs in it, and might handle another signal.
      child.kill('SIGKILL');
    },
  };
}

/** Pact would use a proxy even for the loopback interface, and a broker besides the files. */
function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(?:https?_proxy|all_proxy|PACT_BROKER_.*|NODE_OPTIONS)$/i.test(name),
  );
  // Pact sends usage data only if the user allows it.
  return { PACT_DO_NOT_TRACK: 'true', ...Object.fromEntries(kept) };
}
