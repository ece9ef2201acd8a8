package plants;

import com.fasterxml.jackson.annotation.JsonCreator;
import tools.jackson.databind.JsonNode;

record NewPlant(String name, long id, String tag) {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static NewPlant of(JsonNode body) {
    JsonNode name = body.path("name");
    JsonNode id = body.path("id");
    JsonNode tag = body.path("tag");
    boolean isInt64 = id.isIntegralNumber() && id.canConvertToLong();
    if (!name.isString() || !isInt64 || !(tag.isString() || tag.isMissingNode()))
      throw new IllegalArgumentException("this is no NewPlant");
    return new NewPlant(name.stringValue(), id.longValue(), tag.stringValue(null));
  }
}
