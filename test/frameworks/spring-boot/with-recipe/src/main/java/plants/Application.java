package plants;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@SpringBootApplication
@RestController
public class Application {
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Plant(String name, String tag) {}

  private final List<NewPlant> plants = new CopyOnWriteArrayList<>();

  @PostMapping("/plants")
  Plant create(
      @RequestHeader(value = "Authorization", required = false) String authorization,
      @RequestBody NewPlant plant) {
    if (!("Bearer " + System.getenv("TOKEN")).equals(authorization))
      throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
    plants.add(plant);
    return new Plant(plant.name(), plant.tag());
  }

  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }
}
