package garden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** A client of the plant store. */
public class PlantClient {
    private static final int ATTEMPTS = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI plants;
    private final String token;

    public PlantClient(String url, String token) {
        this.plants = URI.create(url + "/plants");
        this.token = token;
    }

    /**
     * Creates a plant. If the plant store is unavailable (503), tries again: three times in all, and as late as
     * {@code Retry-After} says.
     */
    public Plant create(NewPlant plant) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(plants)
                .timeout(Duration.ofSeconds(5))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(plant)))
                .build();
        for (int attempt = 1; ; attempt++) {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() == 200) {
                return JSON.readValue(response.body(), Plant.class);
            }
            if (response.statusCode() != 503 || attempt == ATTEMPTS) {
                throw new PlantStoreException(response.statusCode(), messageOf(response));
            }
            Thread.sleep(millisecondsToWait(response));
        }
    }

    private static String messageOf(HttpResponse<String> response) {
        // A gateway may respond with a page instead.
        String otherwise = "status " + response.statusCode();
        try {
            JsonNode body = JSON.readTree(response.body());
            return body.path("message").asText(otherwise);
        } catch (JsonProcessingException notJson) {
            return otherwise;
        }
    }

    private static long millisecondsToWait(HttpResponse<String> response) {
        String retryAfter = response.headers().firstValue("Retry-After").orElse("");
        // It may also be a date.
        boolean isSeconds = retryAfter.matches("[0-9]{1,9}");
        return isSeconds ? Math.min(Long.parseLong(retryAfter), 30) * 1000 : 1000;
    }
}
