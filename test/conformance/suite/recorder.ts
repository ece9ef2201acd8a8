import { conformanceSuite, type SuiteOptions } from 'plant-store-contract/conformance';

/** The result of a test. */
export interface Ended {
  readonly error?: Error;
  /** The calls of the functions of the context. */
  readonly calls: readonly (readonly [ability: string, text: string])[];
}

interface Recorded {
  readonly name: string;
  readonly run: () => Promise<void>;
  readonly timeoutMs: number | undefined;
}

/** A runner that keeps its tests, and runs one on demand. */
export class Recorder {
  readonly tests: Recorded[] = [];
  /** @param abilities the functions of the context of a test; none, as in Jest, by default */
  constructor(private readonly abilities: readonly string[] = []) {}

  readonly test = (name: string, run: () => Promise<void>, timeoutMs?: number): void => {
    this.tests.push({ name, run, timeoutMs });
  };

  /** A suite of tests in this runner. */
  static of(options: Omit<SuiteOptions, 'test'>, abilities?: readonly string[]): Recorder {
    const recorder = new Recorder(abilities);
    conformanceSuite({ test: recorder.test, ...options });
    return recorder;
  }

  names(): string[] {
    return this.tests.map(({ name }) => name);
  }

  async run(name: string): Promise<Ended> {
    const found = this.tests.find((recorded) => recorded.name === name);
    if (found === undefined) throw new Error(`there is no test ${name}`);
    const calls: [string, string][] = [];
    const context = Object.fromEntries(
      this.abilities.map((ability) => [ability, (text: string) => void calls.push([ability, text])]),
    );
    try {
      await (found.run as (context?: object) => Promise<void>)(
        ...(this.abilities.length > 0 ? [context] : []),
      );
      return { calls };
    } catch (error) {
      return { error: error as Error, calls };
    }
  }

  async runAll(): Promise<Map<string, Ended>> {
    const ended = new Map<string, Ended>();
    for (const name of this.names()) ended.set(name, await this.run(name));
    return ended;
  }
}
