import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { has } from '../tools.js';
import { type Ended, installProject, readExample } from './project.js';

// Starts first: the compilers of these languages take a minute.

/** A mistake in a client: the file, what is right in it, and what is wrong. */
type Mistake = readonly [file: string, right: string, wrong: string];

interface Language {
  readonly example: string;
  readonly isHere: boolean;
  /** As the page of the examples shows it. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the runner writes for four tests that pass. */
  readonly passes: RegExp;
  /** Where it names a test that fails. */
  readonly failed: RegExp;
  readonly roundsIds: Mistake;
  readonly neverRetries: Mistake;
}

const CLIENT_IN_JAVA = 'src/main/java/garden/PlantClient.java';

const LANGUAGES: Readonly<Record<string, Language>> = {
  Python: {
    example: 'consumer-python',
    isHere: has('python3', '-m', 'pytest', '--version'),
    command: 'python3 -m pytest',
    env: {},
    passes: /^=+ 4 passed in /m,
    failed: /^FAILED test_plants\.py::(\w+)/gm,
    roundsIds: ['plants.py', 'json.dumps(plant)', 'json.dumps({**plant, "id": int(float(plant["id"]))})'],
    neverRetries: ['plants.py', 'error.code != 503 or', 'True or'],
  },
  Go: {
    example: 'consumer-go',
    isHere: has('go', 'version'),
    command: 'go test -v',
    // Without a C compiler, the standard library is compiled in half the time.
    env: { CGO_ENABLED: '0' },
    passes: /^(?:--- PASS: .*\n(?:=== RUN .*\n)?){4}PASS$/m,
    failed: /^--- FAIL: (\w+)/gm,
    roundsIds: [
      'plants.go',
      'body, err := json.Marshal(plant)',
      'plant.ID = int64(float64(plant.ID))\n\tbody, err := json.Marshal(plant)',
    ],
    neverRetries: ['plants.go', 'retryAfter == nil ||', 'true ||'],
  },
  Java: {
    example: 'consumer-java',
    isHere: has('mvn'),
    command: 'mvn test',
    // Short programs run faster so.
    env: { JAVA_TOOL_OPTIONS: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' },
    passes: /^\[INFO\] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0$/m,
    failed: /^\[ERROR\] garden\.PlantClientTest\.(\w+)/gm,
    roundsIds: [
      CLIENT_IN_JAVA,
      'writeValueAsString(plant)',
      'writeValueAsString(new NewPlant(plant.name(), (long) (double) plant.id(), plant.tag()))',
    ],
    neverRetries: [CLIENT_IN_JAVA, 'response.statusCode() != 503 ||', 'true ||'],
  },
};

// The tests have the same names in all languages.
const DIGITS = 'everydigitofanidarrives';
const AGAIN = 'aplantstorethatisunavailableonceisaskedagain';
const GIVES_UP = 'theclientgivesupafterthreeattempts';
const REJECTED = 'arejectedplantisnotsentagain';

test.each(Object.values(LANGUAGES))('$example runs with the command of the page', ({ command }) => {
  expect(readExample('README.md')).toContain(`\`${command}\``);
});

const here = Object.entries(LANGUAGES).filter(([, { isHere }]) => isHere);

// The languages take their turns on the same cores, and wait for downloads and compilers of their own.
test.concurrent.for(here)(
  'in %s, the tests pass, and find that a client rounds ids and never retries',
  async ([_name, language], { expect }) => {
    const { example, command, env, passes, roundsIds, neverRetries } = language;
    const project = await installProject(example, []);
    async function runTests(): Promise<Ended> {
      const [program = '', ...args] = command.split(' ');
      const { status, stdout, stderr } = await project.run(program, args, env);
      // Maven writes in colour even to a file.
      return { status, stdout: stripVTControlCharacters(stdout), stderr };
    }
    const right = await runTests();
    expect(right.status, right.stdout + right.stderr).toBe(0);
    expect(right.stdout).toMatch(passes);
    for (const mistake of [roundsIds, neverRetries]) project.edit(...mistake);
    const wrong = await runTests();
    expect(wrong.status, wrong.stdout + wrong.stderr).not.toBe(0);
    const found = [DIGITS, AGAIN, GIVES_UP, REJECTED].toSorted();
    expect(failedTests(language, wrong.stdout), wrong.stdout + wrong.stderr).toEqual(found);
    rmSync(join(project.folder, 'node_modules'), { recursive: true });
    const missing = await runTests();
    expect(missing.status).not.toBe(0);
    expect(missing.stdout + missing.stderr).toContain('npm install');
  },
);

/** The names of the tests that failed: in lower case, and without what a language demands of them. */
function failedTests({ failed }: Language, output: string): string[] {
  const names = [...output.matchAll(failed)].map(([, name = '']) => name.toLowerCase().replaceAll('_', ''));
  return [...new Set(names.map((name) => name.replace(/^test/, '')))].sort();
}
