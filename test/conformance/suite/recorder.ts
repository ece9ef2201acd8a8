import { conformanceSuite, type SuiteOptions } from 'plant-store-contract/conformance';

/** What became of a test. */
export interface Ended {
  readonly error?: Error;
  /** What its runner was told, by the name of what told it. */
  readonly told: readonly (readonly [how: string, text: string])[];
}

interface Recorded {
  readonly name: string;
  readonly run: () => Promise<void>;
  readonly timeoutMs: number | undefined;
}

/** A runner that only remembers its tests, and runs one when it is asked to. */
export class Recorder {
  readonly tests: Recorded[] = [];
  /** The lines for which the runner has no place. */
  readonly said: string[] = [];

  /** @param abilities what the context of a test can do; none, as in Jest, where there are none */
  constructor(private readonly abilities: readonly string[] = []) {}

  readonly test = (name: string, run: () => Promise<void>, timeoutMs?: number): void => {
    this.tests.push({ name, run, timeoutMs });
  };

  /** A suite of tests in this runner. */
  static of(options: Omit<SuiteOptions, 'test'>, abilities?: readonly string[]): Recorder {
    const recorder = new Recorder(abilities);
    conformanceSuite({ test: recorder.test, say: (text) => recorder.said.push(text), ...options });
    return recorder;
  }

  names(): string[] {
    return this.tests.map(({ name }) => name);
  }

  async run(name: string): Promise<Ended> {
    const found = this.tests.find((recorded) => recorded.name === name);
    if (found === undefined) throw new Error(`there is no test ${name}`);
    const told: [string, string][] = [];
    const context = Object.fromEntries(
      this.abilities.map((ability) => [ability, (text: string) => void told.push([ability, text])]),
    );
    try {
      await (found.run as (context?: object) => Promise<void>)(
        ...(this.abilities.length > 0 ? [context] : []),
      );
      return { told };
    } catch (error) {
      return { error: error as Error, told };
    }
  }

  async runAll(): Promise<Map<string, Ended>> {
    const ended = new Map<string, Ended>();
    for (const name of this.names()) ended.set(name, await this.run(name));
    return ended;
  }
}
