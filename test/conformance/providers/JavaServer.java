import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A provider on nothing but the JDK.
 *
 * <p>Usage: java JavaServer.java TOKEN VARIATION
 *
 * <p>VARIATION is "careful", which is correct, or a mistake: "long-value" reads the id with longValue(), which keeps its
 * lowest 64 bits, and "empty-failures" responds to every failure with a 400 without a body. The port that was chosen is
 * printed as the only line of standard output.
 */
public class JavaServer {
    static String token;
    static String variation;
    static final Set<Long> plants = ConcurrentHashMap.newKeySet();

    static class Failure extends RuntimeException {
        final int status;

        Failure(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    public static void main(String[] args) throws IOException {
        token = args[0];
        variation = args[1];
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", JavaServer::handle);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    static void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                // What is not read would be taken for the next request of this connection.
                byte[] body = exchange.getRequestBody().readAllBytes();
                respond(exchange, 200, create(exchange, body));
            } catch (Failure failure) {
                if (variation.equals("empty-failures")) {
                    exchange.sendResponseHeaders(400, -1);
                    return;
                }
                respond(exchange, failure.status,
                        "{\"error\":" + failure.status + ",\"message\":" + quoted(failure.getMessage()) + "}");
            }
        }
    }

    static void respond(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    static String create(HttpExchange exchange, byte[] body) {
        if (!exchange.getRequestURI().getPath().equals("/plants")) throw new Failure(404, "no such path");
        if (!exchange.getRequestMethod().equals("POST")) throw new Failure(405, "only POST");
        if (!List.of("Bearer " + token).equals(exchange.getRequestHeaders().get("Authorization")))
            throw new Failure(401, "no token, or a wrong one");
        String mediaType = exchange.getRequestHeaders().getFirst("Content-Type");
        if (mediaType == null || !mediaType.split(";")[0].trim().equalsIgnoreCase("application/json"))
            throw new Failure(415, "application/json is wanted");
        if (!(new Json(decoded(body)).whole() instanceof Map<?, ?> plant)) throw new Failure(400, "not an object");
        if (!(plant.get("name") instanceof String name)) throw new Failure(400, "name must be a string");
        if (!(plant.get("id") instanceof BigInteger id)) throw new Failure(400, "id must be an integer");
        if (id.bitLength() > 63 && !variation.equals("long-value")) throw new Failure(400, "id must be an int64");
        Object tag = plant.get("tag");
        if (plant.containsKey("tag") && !(tag instanceof String)) throw new Failure(400, "tag must be a string");
        if (!plants.add(id.longValue())) throw new Failure(409, "there is a plant with this id");
        return "{\"name\":" + quoted(name) + (tag == null ? "" : ",\"tag\":" + quoted((String) tag)) + "}";
    }

    static String decoded(byte[] body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException notUtf8) {
            throw new Failure(400, "the body is not UTF-8");
        }
    }

    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') json.append('\\').append(c);
            else if (c < ' ' || Character.isSurrogate(c)) json.append(String.format("\\u%04x", (int) c));
            else json.append(c);
        }
        return json.append('"').toString();
    }

    /** A reader of JSON. Integers are BigInteger, and other numbers are Double. */
    static class Json {
        static final Pattern NUMBER = Pattern.compile("(-?(?:0|[1-9][0-9]*))(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
        static final Pattern STRING =
                Pattern.compile("\"((?:[^\"\\\\\\x00-\\x1f]++|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+)\"");
        final String text;
        int at = 0;

        Json(String text) {
            this.text = text;
        }

        Object whole() {
            Object value = value(0);
            if (next() != 0) throw failure();
            return value;
        }

        Failure failure() {
            return new Failure(400, "the body is not JSON at character " + at);
        }

        /** Skips white space. Returns the next character, or U+0000 at the end. */
        char next() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            if (at == text.length()) return 0;
            if (text.charAt(at) == 0) throw failure();
            return text.charAt(at);
        }

        boolean skips(char expected) {
            if (next() != expected) return false;
            at++;
            return true;
        }

        Object value(int depth) {
            if (depth > 500) throw failure();
            if (skips('{')) return object(depth);
            if (skips('[')) return array(depth);
            if (next() == '"') return string();
            for (String word : List.of("true", "false", "null")) {
                if (!text.startsWith(word, at)) continue;
                at += word.length();
                return word.equals("null") ? null : Boolean.valueOf(word);
            }
            Matcher number = matched(NUMBER);
            boolean isInteger = number.group(2) == null && number.group(3) == null;
            return isInteger ? new BigInteger(number.group()) : Double.valueOf(number.group());
        }

        Map<String, Object> object(int depth) {
            Map<String, Object> members = new HashMap<>();
            if (skips('}')) return members;
            do {
                if (next() != '"') throw failure();
                String key = string();
                if (!skips(':')) throw failure();
                members.put(key, value(depth + 1));
            } while (skips(','));
            if (!skips('}')) throw failure();
            return members;
        }

        List<Object> array(int depth) {
            List<Object> items = new ArrayList<>();
            if (skips(']')) return items;
            do items.add(value(depth + 1)); while (skips(','));
            if (!skips(']')) throw failure();
            return items;
        }

        String string() {
            String raw = matched(STRING).group(1);
            StringBuilder value = new StringBuilder();
            for (int i = 0; i < raw.length(); i++) {
                if (raw.charAt(i) != '\\') value.append(raw.charAt(i));
                else if (raw.charAt(++i) == 'u') {
                    value.append((char) Integer.parseInt(raw.substring(i + 1, i + 5), 16));
                    i += 4;
                } else value.append("\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(raw.charAt(i))));
            }
            return value.toString();
        }

        Matcher matched(Pattern pattern) {
            Matcher matcher = pattern.matcher(text).region(at, text.length());
            if (!matcher.lookingAt()) throw failure();
            at = matcher.end();
            return matcher;
        }
    }
}
