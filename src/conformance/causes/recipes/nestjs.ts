import { byExactIds, EXACT_JSON } from './javascript.js';
import { code, type Recipes } from './recipe.js';

const MODEL = {
  text: 'Use this class for the body. IsOptional would also accept null.',
  code: code`
export class NewPlant {
  @IsString()
  name: string;

  @IsInt()
  id: number;

  @ValidateIf((plant) => plant.tag !== undefined)
  @IsString()
  tag?: string;
}`,
};

/** NestJS 12 on Express, with class-validator. */
export const nestjs: Recipes = {
  language: 'ts',
  byFinding: {
    'framework-error-page': {
      text: 'Call app.useGlobalFilters(new JsonFailures()) in main.ts.',
      code: code`
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
    'types-are-converted': {
      text: 'Let the pipe convert nothing.',
      code: code`
app.useGlobalPipes(new ValidationPipe({ transform: true, transformOptions: { enableImplicitConversion: false } }));`,
    },
    'success/status-is-200': {
      text: 'Nest responds to POST with 201 unless you say otherwise.',
      code: code`
@Post()
@HttpCode(200)`,
    },
    'null-counts-as-missing': MODEL,
    'types-are-not-checked': {
      text: `${MODEL.text} The application needs app.useGlobalPipes(new ValidationPipe()).`,
      code: MODEL.code,
    },
    'request/body-is-json': {
      text: 'Read JSON only. By default, Nest also reads URL-encoded forms.',
      code: code`
const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false });
app.useBodyParser('json');`,
    },
    ...byExactIds({
      text: "Read JSON yourself: create the application with { bodyParser: false }, call readJsonExactly(app) before app.listen(), and write @IsInt64() id: number | bigint. Import text from 'express'.",
      code: code`
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
