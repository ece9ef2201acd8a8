package plants;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.javalin.Javalin;
import io.javalin.http.UnauthorizedResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class Application {
  public static class NewPlant {
    public String name;
    public Long id;
    public String tag;
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Plant(String name, String tag) {}

  private static final List<NewPlant> plants = new CopyOnWriteArrayList<>();

  public static void main(String[] args) {
    Javalin.create()
        .beforeMatched(
            context -> {
              if (!("Bearer " + System.getenv("TOKEN")).equals(context.header("Authorization")))
                throw new UnauthorizedResponse();
            })
        .post(
            "/plants",
            context -> {
              NewPlant plant =
                  context
                      .bodyValidator(NewPlant.class)
                      .check(one -> one.name != null, "name is required")
                      .check(one -> one.id != null, "id is required")
                      .get();
              plants.add(plant);
              context.json(new Plant(plant.name, plant.tag));
            })
        .start(Integer.parseInt(System.getenv("PORT")));
  }
}
