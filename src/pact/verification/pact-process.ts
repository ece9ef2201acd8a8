import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ToolkitError } from '../../toolkit-error.js';
import { requireOfPact } from '../load-pact.js';

/** What Pact's verifier takes, as far as it is used here. */
export type VerifierOptions = Readonly<Record<string, unknown>> & {
  readonly providerBaseUrl: string;
  readonly provider: string;
};

/** Pact's verifier in a process of its own. */
export interface PactProcess {
  /** Verifies once, and gives Pact's result as JSON. One verification at a time. */
  verify(options: VerifierOptions): Promise<string>;
  /** Ends the process, and gives all that Pact has printed. */
  end(): Promise<string>;
  /** Ends it at once. */
  stop(): void;
}

const SCRIPT = fileURLToPath(new URL('./verifier-process.js', import.meta.url));
const LAST_LINES = 5;

/**
 * Starts a process that verifies: what Pact prints goes to its standard output whatever is asked of it, and a proxy
 * or a broker named in the environment would be used for what is verified here.
 *
 * @param options where a broker is asked, a proxy for https stays: the provider itself is reached by http
 * @throws ToolkitError `missing-package` where Pact is not installed
 */
export function startPactProcess(options: { readonly keepsHttpsProxy: boolean }): PactProcess {
  const core = requireOfPact().resolve('@pact-foundation/pact-core');
  const child = spawn(process.execPath, [SCRIPT], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment(process.env, options),
    windowsHide: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const ready = messageOf(child, () => output);
  ready.catch(() => {});
  return {
    async verify(verifierOptions) {
      await ready;
      const answer = messageOf(child, () => output);
      child.send({ core, options: verifierOptions });
      return (await answer).result ?? '';
    },
    async end() {
      if (child.connected) child.send('end');
      await closed;
      return output;
    },
    stop() {
      child.kill();
    },
  };
}

interface Message {
  readonly result?: string;
}

/** The next message; rejects where the process ends without one. */
function messageOf(child: ChildProcess, output: () => string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void): void => {
      child.off('message', received).off('exit', ended).off('error', reject);
      how();
    };
    const received = (message: Message): void => settle(() => resolve(message));
    const ended = (code: number | null, signal: string | null): void =>
      settle(() => {
        const last = output().trim().split('\n').slice(-LAST_LINES).join('\n');
        const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
        reject(new ToolkitError('pact-broke', `Pact's verifier ended ${how} and has no result: ${last}`));
      });
    child.once('message', received).once('exit', ended).once('error', reject);
  });
}

/** Pact asks a proxy even for the loopback interface, and a broker that the environment names beside the files. */
function environment(
  env: NodeJS.ProcessEnv,
  { keepsHttpsProxy }: { keepsHttpsProxy: boolean },
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => {
    if (/^https_proxy$/i.test(name)) return keepsHttpsProxy;
    return !/^(?:https?_proxy|all_proxy|PACT_BROKER_.*|NODE_OPTIONS)$/i.test(name);
  });
  // Nothing of a verification is told to anybody unless its user wants that.
  return { PACT_DO_NOT_TRACK: 'true', ...Object.fromEntries(kept) };
}
