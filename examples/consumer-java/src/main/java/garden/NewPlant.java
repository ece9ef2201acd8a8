package garden;

import com.fasterxml.jackson.annotation.JsonInclude;

/** A plant to create. A long holds every id exactly. The tag may be null: then it is not sent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NewPlant(String name, long id, String tag) {}
