import { code, type Recipes } from './recipe.js';

const NEW_PLANT = code`
class NewPlant {
  public final String name;
  public final long id;
  @JsonSetter(nulls = Nulls.FAIL) public String tag; // It is set only if the request has a tag.

  @JsonCreator
  NewPlant(@JsonProperty("name") String name, @JsonProperty("id") Long id) {
    this.name = Objects.requireNonNull(name, "name");
    this.id = Objects.requireNonNull(id, "id");
  }
}`;

const PLANT = {
  text: 'Leave out a tag that is null.',
  code: code`
@JsonInclude(JsonInclude.Include.NON_NULL)
record Plant(String name, String tag) {}`,
};

const SPRING_FAILURES = code`
@RestControllerAdvice
class JsonFailures extends ResponseEntityExceptionHandler {
  record Failure(int error, String message) {}

  @Override
  protected ResponseEntity<Object> handleExceptionInternal(
      Exception exception, Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    String message = body instanceof ProblemDetail problem ? problem.getDetail() : null;
    Failure failure = new Failure(status.value(), message == null ? "failed" : message);
    return ResponseEntity.status(status).headers(headers).contentType(MediaType.APPLICATION_JSON).body(failure);
  }

  @ExceptionHandler(Exception.class)
  ResponseEntity<Object> handleOther(Exception exception) {
    logger.error("a request failed", exception);
    return ResponseEntity.status(500).contentType(MediaType.APPLICATION_JSON).body(new Failure(500, "failed"));
  }
}`;

/** Spring Boot 4 with Jackson 3. */
export const springBoot: Recipes = {
  language: 'java',
  byFinding: {
    'framework-error-page': {
      text: 'Add this class. It is for Spring MVC. With WebFlux, extend its ResponseEntityExceptionHandler.',
      code: SPRING_FAILURES,
    },
    'types-are-converted': {
      text: 'Put this bean into a class with @Configuration. It is for Spring Boot 4. With Spring Boot 3, use Jackson2ObjectMapperBuilderCustomizer.',
      code: code`
@Bean
JsonMapperBuilderCustomizer strictTypes() {
  return builder -> builder
      .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
      .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
      .withCoercionConfig(LogicalType.Textual, strings -> strings
          .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
          .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
          .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
}`,
    },
    'unhandled-exception': {
      text: 'Read this class from the body. Spring responds with 400 if its constructor throws.',
      code: NEW_PLANT,
    },
    'request/name-is-required': { text: 'Read this class from the body.', code: NEW_PLANT },
    'request/id-is-required': { text: 'Read this class from the body.', code: NEW_PLANT },
    'null-counts-as-missing': {
      text: 'Read this class from the body. For it, a tag of null is no missing tag.',
      code: NEW_PLANT,
    },
    'absent-tag-is-null': PLANT,
    'request/nothing-follows-the-json': {
      text: 'Put this into application.properties.',
      language: 'properties',
      code: 'spring.jackson.deserialization.fail-on-trailing-tokens=true',
    },
  },
};

const JAVALIN_FAILURES = code`
record Failure(int error, String message) {}

static void jsonFailures(JavalinConfig config) {
  config.routes.exception(HttpResponseException.class, (exception, ctx) ->
      ctx.status(exception.getStatus()).json(new Failure(exception.getStatus(), exception.getMessage())));
  config.routes.exception(JacksonException.class, (exception, ctx) ->
      ctx.status(400).json(new Failure(400, exception.getOriginalMessage())));
  config.routes.exception(Exception.class, (exception, ctx) -> {
    LoggerFactory.getLogger(JavalinConfig.class).error("a request failed", exception);
    ctx.status(500).json(new Failure(500, "failed"));
  });
}`;

const JAVALIN_MAPPER = code`
static void strictJson(JavalinConfig config) {
  config.jsonMapper(new JavalinJackson().updateMapper(mapper -> {
    mapper.configure(MapperFeature.ALLOW_COERCION_OF_SCALARS, false);
    mapper.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
    mapper.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    mapper.coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
  }));
}`;

const READ_PLANT = code`
${NEW_PLANT}

static NewPlant readPlant(Context ctx) {
  if (ctx.body().strip().equals("null")) throw new BadRequestResponse("the body must be a JSON object");
  return ctx.bodyAsClass(NewPlant.class);
}`;

const failures = {
  text: 'Call it first: Javalin.create(config -> { jsonFailures(config); … }).',
  code: JAVALIN_FAILURES,
};
const mapper = {
  text: 'Call it first: Javalin.create(config -> { strictJson(config); … }).',
  code: JAVALIN_MAPPER,
};
const model = {
  text: 'Call readPlant(ctx) in the handler. Respond to a JacksonException with 400.',
  code: READ_PLANT,
};

/** Javalin 7 with Jackson 2. */
export const javalin: Recipes = {
  language: 'java',
  byFinding: {
    'framework-error-page': failures,
    'exception-on-a-valid-plant': {
      text: `${failures.text} Jackson throws for an unknown field, and this responds with 400.`,
      code: JAVALIN_FAILURES,
    },
    'types-are-converted': mapper,
    'request/nothing-follows-the-json': mapper,
    'unhandled-exception': {
      text: `${failures.text} Call readPlant(ctx) in the handler.`,
      code: `${JAVALIN_FAILURES}\n\n${READ_PLANT}`,
    },
    'request/name-is-required': model,
    'request/id-is-required': model,
    'null-counts-as-missing': model,
    'absent-tag-is-null': PLANT,
  },
};
