// `npm run spec:generators`: generates clients from spec/openapi.yaml in three languages, and compiles them. It needs java, mvn and
// go, and it downloads the generators and what their code imports (100 MB). So it is no part of `npm test`.
// The exit status is 1 if a client does not compile, or if an id is not an int64 in it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const JAR = {
  version: '7.14.0',
  sha256: 'e03186835022ca02da4aa95e3967b6a3b6d44c2e5f7606e6d5c22466f519c757',
};
const OAPI_CODEGEN = 'v2.4.1';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-generators-'));
const run = (/** @type {string} */ command, /** @type {readonly string[]} */ args, cwd = folder, env = {}) =>
  execFileSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' });

/** Generates a client with openapi-generator. */
function generate(/** @type {string} */ generator, /** @type {string} */ to, ...options) {
  const args = ['-jar', 'generator.jar', 'generate', '-i', 'openapi.yaml', '-g', generator, '-o', to];
  run('java', [...args, ...options]);
}

/** What the source of a client must say of the id. */
function expectId(/** @type {string} */ file, /** @type {RegExp} */ pattern) {
  if (!pattern.test(readFileSync(join(folder, file), 'utf8')))
    throw new Error(`${file}: the id is not ${pattern}`);
}

/** @type {Readonly<Record<string, () => void>>} */
const clients = {
  [`openapi-generator ${JAR.version}, java`]: () => {
    generate('java', 'java', '--library', 'native');
    run('mvn', ['--quiet', '--batch-mode', 'compile'], join(folder, 'java'));
    expectId('java/src/main/java/org/openapitools/client/model/NewPlant.java', /private Long id;/);
  },
  [`openapi-generator ${JAR.version}, typescript-fetch`]: () => {
    generate('typescript-fetch', 'typescript');
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ];
    const libraries = ['--lib', 'es2023,dom,dom.iterable', '--types', ''];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    run(process.execPath, [tsc, ...flags, ...libraries, 'typescript/index.ts']);
    // JavaScript has no other number here: ids beyond 2^53 are rounded. Our own client keeps them.
    expectId('typescript/models/NewPlant.ts', /^ {4}id: number;$/m);
  },
  [`oapi-codegen ${OAPI_CODEGEN}, Go`]: () => {
    const go = join(folder, 'go');
    mkdirSync(go);
    writeFileSync(join(go, 'go.mod'), 'module plants\n\ngo 1.22\n');
    const program = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN}`;
    const source = run(
      'go',
      ['run', program, '-generate', 'types,client', '-package', 'plants', '../openapi.yaml'],
      go,
    );
    writeFileSync(join(go, 'plants.go'), source);
    run('go', ['mod', 'tidy'], go);
    run('go', ['build', './...'], go, { CGO_ENABLED: '0' });
    expectId('go/plants.go', /^\tId +int64 +`json:"id"`$/m);
  },
};

try {
  copyFileSync(join(root, 'spec/openapi.yaml'), join(folder, 'openapi.yaml'));
  const path = `org/openapitools/openapi-generator-cli/${JAR.version}/openapi-generator-cli-${JAR.version}.jar`;
  const response = await fetch(`https://repo1.maven.org/maven2/${path}`);
  const jar = Buffer.from(await response.arrayBuffer());
  if (createHash('sha256').update(jar).digest('hex') !== JAR.sha256)
    throw new Error(`openapi-generator ${JAR.version} is not what it was (status ${response.status})`);
  writeFileSync(join(folder, 'generator.jar'), jar);
  for (const [name, make] of Object.entries(clients)) {
    let problem = '';
    try {
      make();
    } catch (error) {
      problem = `${error}\n${/** @type {{ stdout?: string }} */ (error).stdout ?? ''}`;
      process.exitCode = 1;
    }
    process.stdout.write(`${name}: ${problem === '' ? 'compiles' : problem}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
