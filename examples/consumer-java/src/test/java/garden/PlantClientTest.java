package garden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlantClientTest {
    /** The id is the integer after 2^53, which a double cannot hold. */
    private static final NewPlant ALOE = new NewPlant("Aloe", 9007199254740993L, "succulent");

    private static PlantStore store;
    private PlantClient client;

    /** One server for all tests: starting it takes longer than a test. */
    @BeforeAll
    static void start() throws IOException {
        store = new PlantStore();
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        if (store != null) {
            store.close();
        }
    }

    @BeforeEach
    void reset() throws Exception {
        store.reset();
        client = new PlantClient(store.url, store.token);
    }

    /** A test fails if it set a failure that no request met. */
    @AfterEach
    void everyFailureWasMet() throws Exception {
        assertEquals(List.of(), store.unusedFailures());
    }

    @Test
    void everyDigitOfAnIdArrives() throws Exception {
        assertEquals(new Plant("Aloe", "succulent"), client.create(ALOE));

        List<JsonNode> requests = store.requests("name=Aloe");
        assertEquals(List.of(200), statuses(requests));
        String body = requests.get(0).get("body").textValue();
        assertEquals(ALOE, new ObjectMapper().readValue(body, NewPlant.class));
        assertEquals(List.of(ALOE), store.plants());
    }

    @Test
    void aPlantStoreThatIsUnavailableOnceIsAskedAgain() throws Exception {
        store.fail(Map.of("status", 503, "headers", Map.of("Retry-After", "0"), "times", 1));

        client.create(ALOE);

        assertEquals(List.of(503, 200), statuses(store.requests("id=" + ALOE.id())));
        assertEquals(List.of(ALOE), store.plants());
    }

    @Test
    void theClientGivesUpAfterThreeAttempts() throws Exception {
        store.fail(Map.of("status", 503, "headers", Map.of("Retry-After", "0"), "message", "closed for repotting"));

        var rejected = assertThrows(PlantStoreException.class, () -> client.create(ALOE));

        assertEquals("closed for repotting", rejected.getMessage());
        assertEquals(List.of(503, 503, 503), statuses(store.requests("")));
        assertEquals(List.of(), store.plants());
    }

    @Test
    void aRejectedPlantIsNotSentAgain() throws Exception {
        NewPlant fern = new NewPlant("Fern", ALOE.id(), null);
        store.seed(fern);

        var rejected = assertThrows(PlantStoreException.class, () -> client.create(ALOE));

        assertEquals("a plant with the \"id\" 9007199254740993 exists already", rejected.getMessage());
        assertEquals(400, rejected.status());
        assertEquals(List.of(400), statuses(store.requests("")));
        assertEquals(List.of(fern), store.plants());
    }

    private static List<Integer> statuses(List<JsonNode> requests) {
        return requests.stream().map(request -> request.get("status").intValue()).toList();
    }
}
