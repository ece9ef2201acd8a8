package garden;

/** What the plant store returns. The tag is null if the plant has none. */
public record Plant(String name, String tag) {}
