import {
  CONVERTED_TYPES,
  code,
  fixOf,
  INEXACT_IDS,
  type Recipes,
  UNCHECKED_BODIES,
  WHOLE_RECORDS,
} from './recipe.js';

const MODEL_IMPORTS = code`
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Objects;`;

const MODEL = code`
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

const STRICT_IMPORTS = code`
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;`;

const STRICT = code`
@Configuration
class StrictTypes {
  @Bean
  JsonMapperBuilderCustomizer noConversion() {
    return builder -> builder
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .withCoercionConfig(LogicalType.Textual, strings -> strings
            .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
  }
}`;

/** Spring Boot 4 with Jackson 3. */
export const springBoot: Recipes = {
  language: 'java',
  byFinding: {
    'framework-error-page': {
      text: 'Add this class. It is for Spring MVC. With WebFlux, extend its ResponseEntityExceptionHandler.',
      code: code`
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

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
}`,
    },
    ...fixOf([...UNCHECKED_BODIES, ...INEXACT_IDS, 'id-in-32-bits'], {
      text: 'Read this class from the body. Spring responds with 400 if its constructor throws.',
      code: `${MODEL_IMPORTS}\n\n${MODEL}`,
    }),
    'types-are-not-checked': {
      text: 'Read the class NewPlant from the body. The other class lets Jackson convert nothing: it is for Spring Boot 4. With Spring Boot 3, use Jackson2ObjectMapperBuilderCustomizer.',
      code: `${MODEL_IMPORTS}\n${STRICT_IMPORTS}\n\n${MODEL}\n\n${STRICT}`,
    },
    ...fixOf([...CONVERTED_TYPES, 'fractions-are-accepted'], {
      text: 'Add this class. It is for Spring Boot 4. With Spring Boot 3, use Jackson2ObjectMapperBuilderCustomizer.',
      code: `${STRICT_IMPORTS}\n\n${STRICT}`,
    }),
    ...fixOf(WHOLE_RECORDS, {
      text: 'Respond with this record. It leaves out a tag that is null.',
      code: code`
import com.fasterxml.jackson.annotation.JsonInclude;

@JsonInclude(JsonInclude.Include.NON_NULL)
record Plant(String name, String tag) {}`,
    }),
    'request/nothing-follows-the-json': {
      text: 'Put this into application.properties.',
      language: 'properties',
      code: 'spring.jackson.deserialization.fail-on-trailing-tokens=true',
    },
  },
};
