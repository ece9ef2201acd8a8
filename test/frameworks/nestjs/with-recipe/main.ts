import {
  type ArgumentsHost, Body, type CanActivate, Catch, Controller, type ExceptionFilter, type ExecutionContext, HttpCode, HttpException,
  Injectable, Module, Post, UnauthorizedException, UseGuards, ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsString, ValidateBy, ValidateIf } from 'class-validator';
import { parse, parseNumberAndBigInt } from 'lossless-json';

export const IsInt64 = () =>
  ValidateBy({ name: 'isInt64', validator: { validate: isInt64, defaultMessage: () => '"id" must be an int64' } });

function isInt64(id: unknown) {
  return typeof id === 'bigint' && BigInt.asIntN(64, id) === id;
}

export function readJsonExactly(request: any, response: any, next: () => void) {
  if (typeof request.body !== 'string') return next();
  try {
    request.body = parse(request.body, null, parseNumberAndBigInt);
    if (typeof request.body === 'object') return next();
  } catch {
    // It is not JSON.
  }
  response.status(400).json({ error: 400, message: 'the body is no JSON object' });
}

export class NewPlant {
  @IsString()
  name: string;

  @IsInt64()
  id: bigint;

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
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false });
  app.useGlobalPipes(new ValidationPipe());
  app.useGlobalFilters(new JsonFailures());
  app.useBodyParser('text', { type: 'application/json' });
  app.use(readJsonExactly);
  await app.listen(process.env.PORT);
}
bootstrap();
