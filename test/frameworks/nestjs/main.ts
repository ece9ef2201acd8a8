import {
  Body, type CanActivate, Controller, type ExecutionContext, HttpCode, Injectable, Module, Post, UnauthorizedException, UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsOptional, IsString } from 'class-validator';

class CreatePlantDto {
  @IsString()
  name: string;

  @IsInt()
  id: number;

  @IsOptional()
  @IsString()
  tag?: string;
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
  private readonly plants: CreatePlantDto[] = [];

  @Post()
  @HttpCode(200)
  create(@Body() plant: CreatePlantDto) {
    this.plants.push(plant);
    return { name: plant.name, tag: plant.tag };
  }
}

@Module({ controllers: [PlantsController] })
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.useGlobalPipes(new ValidationPipe());
  await app.listen(process.env.PORT);
}
bootstrap();
