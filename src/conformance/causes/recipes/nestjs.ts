import { EXACT_JSON } from './javascript.js';
import { CONVERTED_TYPES, code, fixOf, INEXACT_IDS, type Recipes, UNCHECKED_BODIES } from './recipe.js';

const MODEL = code`
import { IsInt, IsString, ValidateIf } from 'class-validator';

export class NewPlant {
  @IsString()
  name: string;

  @IsInt()
  id: number;

  // IsOptional would also accept null.
  @ValidateIf((plant) => plant.tag !== undefined)
  @IsString()
  tag?: string;
}`;

/** NestJS 12 on Express, with class-validator. */
export const nestjs: Recipes = {
  language: 'ts',
  byFinding: {
    'framework-error-page': {
      text: 'Call app.useGlobalFilters(new JsonFailures()) in main.ts.',
      code: code`
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';

@Catch()
export class JsonFailures implements ExceptionFilter {
  catch(exception: any, host: ArgumentsHost) {
    const status = exception instanceof HttpException ? exception.getStatus() : (exception.status ?? 500);
    if (status >= 500) console.error(exception);
    const message = status < 500 ? exception.message : 'failed';
    host.switchToHttp().getResponse().status(status).json({ error: status, message });
  }
}`,
    },
    ...fixOf(UNCHECKED_BODIES, {
      text: 'Use this class for the body, and call app.useGlobalPipes(new ValidationPipe()) in main.ts.',
      code: MODEL,
    }),
    ...fixOf(CONVERTED_TYPES, {
      text: 'Let the pipe convert nothing.',
      code: code`
import { ValidationPipe } from '@nestjs/common';

app.useGlobalPipes(new ValidationPipe({ transform: true, transformOptions: { enableImplicitConversion: false } }));`,
    }),
    'success/status-is-200': {
      text: 'Nest responds to POST with 201 unless you say otherwise.',
      code: code`
import { HttpCode, Post } from '@nestjs/common';

@Post()
@HttpCode(200)`,
    },
    'request/body-is-json': {
      text: 'Read JSON only. By default, Nest also reads URL-encoded forms.',
      code: code`
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false });
app.useBodyParser('json');`,
    },
    ...fixOf(INEXACT_IDS, {
      text: 'Read JSON yourself: create the application with { bodyParser: false }, call readJsonExactly(app) before app.listen(), and write @IsInt64() id: number | bigint.',
      code: code`
import type { INestApplication } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { text } from 'express';

${EXACT_JSON.replace('parseJson(text)', 'parseJson(text: string)').replace('isInt64(id)', 'isInt64(id: unknown)')}

export const IsInt64 = () =>
  ValidateBy({ name: 'isInt64', validator: { validate: isInt64, defaultMessage: () => '"id" must be an int64' } });

export function readJsonExactly(app: INestApplication) {
  app.use(text({ type: 'application/json' }));
  app.use((request: any, response: any, next: () => void) => {
    if (typeof request.body !== 'string') return next();
    try {
      request.body = parseJson(request.body);
    } catch {
      return response.status(400).json({ error: 400, message: 'the body is not JSON' });
    }
    next();
  });
}`,
    }),
  },
};
