package plants;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Objects;

class NewPlant {
  public final String name;
  public final long id;
  @JsonSetter(nulls = Nulls.FAIL) public String tag; // It is set only if the request has a tag.

  @JsonCreator
  NewPlant(@JsonProperty("name") String name, @JsonProperty("id") Long id) {
    this.name = Objects.requireNonNull(name, "name");
    this.id = Objects.requireNonNull(id, "id");
  }
}
