package plants;

import static jakarta.servlet.RequestDispatcher.ERROR_STATUS_CODE;

import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class JsonFailures implements ErrorController {
  record Failure(int error, String message) {}

  @RequestMapping("/error")
  ResponseEntity<Failure> failure(@RequestAttribute(ERROR_STATUS_CODE) int status) {
    String message = HttpStatus.valueOf(status).getReasonPhrase();
    return ResponseEntity.status(status).contentType(MediaType.APPLICATION_JSON).body(new Failure(status, message));
  }
}
