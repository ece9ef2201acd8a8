import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Provider } from '../conformance/providers/provider.js';

const exec = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;

/** What the application itself names. */
const IMPORTS = `
import {
  Body, ConflictException, Controller, Headers, Logger, Module, Post, UnauthorizedException, ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsOptional, IsString } from 'class-validator';
`;

/** As in Nest's guide: IsOptional also accepts null. */
const NAIVE_MODEL = `
export class NewPlant {
  @IsString()
  name: string;

  @IsInt()
  id: number;

  @IsOptional()
  @IsString()
  tag?: string;
}`;

const IMPORT = /^import (?:type )?\{([^}]*)\} from '([^']+)';\n+/gm;

/** The imports of pieces of code as one list: two pieces may import the same name. */
function importsOf(pieces: readonly string[]): string {
  const names = new Map<string, Set<string>>();
  for (const [, list = '', from = ''] of pieces.flatMap((piece) => [...piece.matchAll(IMPORT)])) {
    const ofModule = names.get(from) ?? new Set();
    for (const name of list.split(',')) ofModule.add(name.replace(/\btype\b/, '').trim());
    names.set(from, ofModule);
  }
  return [...names]
    .map(([from, list]) => `import { ${[...list].filter(Boolean).join()} } from '${from}';`)
    .join('\n');
}

/** A Nest application with the code of the recipes that are applied, as it is printed. */
function sourceOf(applied: readonly string[], token: string): string {
  const has = (part: string): string | undefined =>
    applied.find((one) => one.includes(part))?.replaceAll(IMPORT, '');
  const exact = has('readJsonExactly');
  const model = has('class NewPlant') ?? NAIVE_MODEL;
  return `import 'reflect-metadata';
${importsOf([IMPORTS, ...applied])}
${exact ?? ''}
${exact === undefined ? model : model.replace('@IsInt()\n  id: number', '@IsInt64()\n  id: bigint')}
${has('class JsonFailures') ?? ''}
const ids = new Set();

@Controller('plants')
class Plants {
  ${has('@HttpCode(200)') ?? '@Post()'}
  create(@Body() { name, id, tag }: NewPlant, @Headers('authorization') authorization: string) {
    if (authorization !== 'Bearer ${token}') throw new UnauthorizedException();
    if (ids.has(id)) throw new ConflictException();
    ids.add(id);
    return { name, tag };
  }
}

@Module({ controllers: [Plants] })
class AppModule {}

export async function start() {
  Logger.overrideLogger(false);
  ${application(exact, has('useBodyParser'))}
  ${exact === undefined ? '' : "app.useBodyParser('text', { type: 'application/json' });\n  app.use(readJsonExactly);"}
  ${has('enableImplicitConversion') ?? pipe}
  ${has('class JsonFailures') === undefined ? '' : 'app.useGlobalFilters(new JsonFailures());'}
  await app.listen(0, '127.0.0.1');
  return app;
}
`;
}

/** Many guides turn the conversion of types on. */
const pipe =
  'app.useGlobalPipes(new ValidationPipe({ transform: true, transformOptions: { enableImplicitConversion: true } }));';

function application(exact: string | undefined, jsonOnly: string | undefined): string {
  if (exact === undefined)
    return jsonOnly ?? 'const app = await NestFactory.create<NestExpressApplication>(AppModule);';
  return 'const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false });';
}

/** Compiles and starts such an application: Nest needs the types of parameters at run time. */
export async function startNest(applied: readonly string[], token: string): Promise<Provider> {
  const folder = mkdtempSync(join(tmpdir(), 'nest-'));
  symlinkSync(new URL('node_modules', import.meta.url).pathname, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'main.ts'), sourceOf(applied, token));
  const options = ['--module', 'nodenext', '--target', 'es2022', '--noCheck', '--experimentalDecorators'];
  await exec(join(root, 'node_modules/.bin/tsc'), [...options, '--emitDecoratorMetadata', 'main.ts'], {
    cwd: folder,
  });
  const { start } = await import(pathToFileURL(join(folder, 'main.js')).href);
  const app = await start();
  const { port } = app.getHttpServer().address();
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}
