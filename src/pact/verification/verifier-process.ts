import { setInterval } from 'node:timers';
import { requireOfPact } from '../installed-pact.js';
import { type PactVerifierSettings, type SeenInteraction, Verification } from './verifier-options.js';

// The process of `verify`. Pact prints to standard output whatever is set, and a pattern of a pact may keep it busy for ever.

/** The task that the process gets. */
export interface Task {
  readonly settings: PactVerifierSettings;
  readonly stateUrl?: string | undefined;
  /** Runs of Pact's verifier, one after the other: its result does not say which file an interaction is in. */
  readonly runs: readonly {
    /** Options of Pact's verifier: what it verifies. */
    readonly options: object;
    /** The interactions whose token is sent unchanged. */
    readonly keepsToken: readonly number[];
  }[];
}

/** A message of the process: one for each interaction of a run, then the result of the run. */
export type Message =
  | { readonly untestable: string }
  | { readonly interaction: SeenInteraction }
  /** Pact's JSON, or a sentence if there is none. */
  | { readonly result: string };

const say = (message: Message): void => void process.send?.(message);

async function work({ settings, stateUrl, runs }: Task): Promise<void> {
  const { Verifier } = requireOfPact()('./src/dsl/verifier/verifier.js');
  for (const { options, keepsToken } of runs) {
    let ended = 0;
    const verification = new Verification(settings, {
      stateUrl,
      // Pact verifies one interaction after the other.
      keepsToken: () => keepsToken.includes(ended),
      onEnd(interaction) {
        ended++;
        say({ interaction });
      },
    });
    const untestable = await verification.whyUntestable();
    if (untestable !== undefined) return say({ untestable });
    // Pact's log is read only if something is wrong.
    const verifier = new Verifier({ ...verification.options, logLevel: 'warn', ...options });
    // If interactions fail, the message of the error is the result.
    const result = await verifier.verifyProvider().then(String, (failure: unknown) => messageOf(failure));
    say({ result });
  }
}

/** As it is: the result may contain anything. */
function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Generators of a pact may ask for gigabytes, which Pact's library makes beside this thread. In bytes. */
const MOST_MEMORY = 2 ** 29;

setInterval(() => {
  if (process.memoryUsage.rss() < MOST_MEMORY) return;
  process.stderr.write('a pact needs more than 512 MiB of memory\n', () =>
    process.kill(process.pid, 'SIGKILL'),
  );
}, 50).unref();

process.once('message', (task: Task) => {
  // An error that nobody has handled ends it, and the command shows what it has printed.
  void work(task).then(() => process.disconnect?.());
});
process.on('disconnect', () => process.exit());
