package plants;

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
}
