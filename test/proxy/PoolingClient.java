import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;

/** Sends plants over connections that it keeps, one after the other and side by side. */
class PoolingClient {
  public static void main(String[] args) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.valueOf(args[1])).build();
    for (int id = 0; id < 100; id++) check(client.send(plant(args[0], id), HttpResponse.BodyHandlers.ofString()));
    for (int id = 100; id < 200; id += 4) {
      var sent = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int at = id; at < id + 4; at++)
        sent.add(client.sendAsync(plant(args[0], at), HttpResponse.BodyHandlers.ofString()));
      for (var one : sent) check(one.get());
    }
    System.out.println("done");
  }

  static HttpRequest plant(String url, int id) {
    return HttpRequest.newBuilder(URI.create(url + "/plants"))
        .header("Authorization", "Bearer secret")
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"Aloe\",\"id\":" + id + "}"))
        .build();
  }

  static void check(HttpResponse<String> response) {
    if (response.statusCode() != 200 || !response.body().equals("{\"name\":\"Aloe\"}"))
      throw new IllegalStateException(response.statusCode() + " " + response.body());
  }
}
