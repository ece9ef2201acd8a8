package garden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The reference server as a process. {@code url} and {@code token} are for the client under test; the methods control the
 * server.
 */
class PlantStore implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    final String url;
    final String token;
    private final String control;
    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();

    PlantStore() throws IOException {
        // The pipe to the server closes when the tests end, also if they are killed. Then the server ends.
        ProcessBuilder command = new ProcessBuilder(
                        "node_modules/.bin/plant-store-contract", "serve", "--port", "0", "--control-port", "0", "--log", "json",
                        "--until-stdin-closes")
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            process = command.start();
        } catch (IOException problem) {
            throw new IOException(problem.getMessage() + "; is the plant store installed? npm install", problem);
        }
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the plant store did not start");
        }
        JsonNode started = JSON.readTree(line);
        url = started.get("url").textValue();
        token = started.get("token").textValue();
        control = started.get("control").textValue();
        // The log goes on. A full pipe would stop the server.
        Thread drain = new Thread(() -> {
            try {
                output.transferTo(Writer.nullWriter());
            } catch (IOException closed) {
                // The server has ended.
            }
        });
        drain.setDaemon(true);
        drain.start();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }

    /** Back to the start: no plants, no requests, no failures. */
    void reset() throws IOException, InterruptedException {
        control("POST", "/reset", null);
    }

    /** Stores plants without a request of the client. */
    void seed(NewPlant... plants) throws IOException, InterruptedException {
        control("POST", "/plants", plants);
    }

    /** Makes valid creations fail: {@code Map.of("status", 503, "times", 1)}. */
    void fail(Map<String, Object> failure) throws IOException, InterruptedException {
        control("POST", "/failures", failure);
    }

    /** The stored plants. As a long, their ids keep every digit. */
    List<NewPlant> plants() throws IOException, InterruptedException {
        return List.of(JSON.readValue(control("GET", "/plants", null), NewPlant[].class));
    }

    /** What the plant store received and matches a query such as {@code name=Aloe&wait=2s}. */
    List<JsonNode> requests(String query) throws IOException, InterruptedException {
        return List.of(JSON.readValue(control("GET", "/requests?" + query, null), JsonNode[].class));
    }

    /** The failures that no request met. */
    List<JsonNode> unusedFailures() throws IOException, InterruptedException {
        return List.of(JSON.readValue(control("GET", "/failures/unused", null), JsonNode[].class));
    }

    private String control(String method, String path, Object value) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(control + path))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .method(method, value == null ? BodyPublishers.noBody() : BodyPublishers.ofString(JSON.writeValueAsString(value)))
                .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() >= 400) {
            throw new IOException(method + " " + path + ": " + response.body());
        }
        return response.body();
    }
}
