import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from './free-port.js';
import { createLinter } from './linter.js';
import { installProject, readExample } from './project.js';

const demands = rules.filter(({ level }) => level !== 'unspecified').length;
const WORKFLOW = '.github/workflows/plant-store.yml';

describe("a provider's repository", async () => {
  const project = await installProject('provider', ['@pact-foundation/pact', 'express']);

  test('checks both in its own tests', async () => {
    const { status, stdout } = await project.run('npm', ['test']);
    expect(stdout).toMatch(new RegExp(`^. pass ${rules.length + 2}$`, 'm'));
    expect(stdout).toMatch(/^. fail 0$/m);
    expect(status).toBe(0);
  });

  test('fails the check if it reads ids with JSON.parse', async () => {
    const mistakes = [
      ['src/app.js', 'readJson(request.body)', '{ ok: true, value: JSON.parse(request.body) }'],
      ['src/new-plant.js', 'Number.isSafeInteger', 'Number.isInteger'],
    ] as const;
    for (const [file, right, wrong] of mistakes) project.edit(file, right, wrong);
    const { status, stdout } = await project.run('npm', ['run', 'check', '--', '--reporter', 'json']);
    for (const [file, right, wrong] of mistakes) project.edit(file, wrong, right);
    expect(status).toBe(1);
    const report = JSON.parse(stdout.slice(stdout.indexOf('\n{') + 1));
    const broken = report.rules.filter(({ verdict }: { verdict: string }) => verdict === 'fail');
    expect(broken.map(({ id }: { id: string }) => id)).toContain('request/ids-are-exact');
  });

  describe('its workflow', () => {
    const text = readExample('provider', WORKFLOW);

    test('passes a linter', async () => {
      const lint = await createLinter();
      expect(lint(text, WORKFLOW)).toEqual([]);
    });

    test.for([
      ['check', 'conforms', ['check.html', 'check.json', 'check.xml']],
      ['verify', 'The provider satisfies 8 of 8 interactions.', ['verify.xml']],
    ] as const)('has a job %s whose commands pass here', async ([job, says, reports]) => {
      const port = await freePort();
      const { env, jobs } = parse(text);
      const commands: string[] = jobs[job].steps.flatMap(({ run }: { run?: string }) => run ?? []);
      // Installed above. There is no lock file here.
      expect(commands.shift()).toBe('npm ci');
      const script = ['rm -rf reports', ...commands].join('\n');
      const { status, stdout, stderr } = await project.run('bash', ['-e', '-c', script], {
        CI: 'true',
        GITHUB_STEP_SUMMARY: 'summary.md',
        PLANT_STORE_TOKEN: 'token-of-run-1',
        PORT: String(port),
        PROVIDER_URL: env.PROVIDER_URL.replace('3000', String(port)),
        START_PROVIDER: env.START_PROVIDER,
      });
      expect(status, stdout + stderr).toBe(0);
      expect(stdout).toContain(says);
      const written = readdirSync(join(project.folder, 'reports'));
      expect(written).toEqual(expect.arrayContaining(['provider.log', ...reports]));
      if (job === 'check')
        expect(project.read('summary.md')).toContain(`satisfies ${demands} of ${demands} judged rules`);
    });
  });
});
