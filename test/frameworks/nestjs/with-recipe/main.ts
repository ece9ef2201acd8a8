import {
  type ArgumentsHost, Body, type CanActivate, Catch, Controller, type ExceptionFilter, type ExecutionContext, HttpCode, HttpException,
  type INestApplication, Injectable, Module, Post, UnauthorizedException, UseGuards, ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsString, ValidateBy, ValidateIf } from 'class-validator';
import { text } from 'express';

const MARK = crypto.randomUUID();

/** Like JSON.parse, but an integer of 16 or more digits becomes a BigInt. */
function parseJson(text: string) {
  JSON.parse(text); // Throws if it is not JSON.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${MARK}${token}"` : token,
  );
  return JSON.parse(marked, (key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

function isInt64(id: unknown) {
  return typeof id === 'bigint' ? BigInt.asIntN(64, id) === id : Number.isSafeInteger(id);
}

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
}

export class NewPlant {
  @IsString()
  name: string;

  @IsInt64()
  id: number | bigint;

  // IsOptional would also accept null.
  @ValidateIf((plant) => plant.tag !== undefined)
  @IsString()
  tag?: string;
}

@Catch()
export class JsonFailures implements ExceptionFilter {
  catch(exception: any, host: ArgumentsHost) {
    const status = exception instanceof HttpException ? exception.getStatus() : (exception.status ?? 500);
    if (status >= 500) console.error(exception);
    const message = status < 500 ? exception.message : 'failed';
    host.switchToHttp().getResponse().status(status).json({ error: status, message });
  }
}

@Injectable()
class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || token !== process.env.TOKEN) throw new UnauthorizedException();
    return true;
  }
}

@Controller('plants')
@UseGuards(AuthGuard)
class PlantsController {
  private readonly plants: NewPlant[] = [];

  @Post()
  @HttpCode(200)
  create(@Body() plant: NewPlant) {
    this.plants.push(plant);
    return { name: plant.name, tag: plant.tag };
  }
}

@Module({ controllers: [PlantsController] })
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { bodyParser: false });
  app.useGlobalPipes(new ValidationPipe());
  app.useGlobalFilters(new JsonFailures());
  readJsonExactly(app);
  await app.listen(process.env.PORT);
}
bootstrap();
