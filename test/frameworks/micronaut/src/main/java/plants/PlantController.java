package plants;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

@Controller("/plants")
class PlantController {
  @Serdeable
  record NewPlant(@NotNull String name, @NotNull Long id, @Nullable String tag) {}

  @Serdeable
  record Plant(String name, @Nullable String tag) {}

  private final List<NewPlant> plants = new CopyOnWriteArrayList<>();

  @Post
  Plant create(@Nullable @Header("Authorization") String authorization, @Valid @Body NewPlant plant) {
    if (!("Bearer " + System.getenv("TOKEN")).equals(authorization))
      throw new HttpStatusException(HttpStatus.UNAUTHORIZED, "Unauthorized");
    plants.add(plant);
    return new Plant(plant.name(), plant.tag());
  }
}
