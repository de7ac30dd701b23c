import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.time.Duration;
import java.util.regex.Pattern;

/** Pays a QR once: java Pay.java (content of the QR) (your id of the payment) */
public class Pay {
  static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Sends the same bytes again until an answer of Quipu says what became of them. */
  static String post(String path, String body, String member) throws InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(env("QUIPU_API_URL", "http://127.0.0.1:4002") + path))
        .header("X-API-Key", env("QUIPU_API_KEY", "qpu_mock_java"))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(30))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    for (int attempt = 0; attempt < 8; attempt++) {
      long wait = Math.min(1L << attempt, 30);
      try {
        var answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        int status = answer.statusCode();
        if (status < 300 && isWhole(answer.body(), member)) return answer.body();
        if (status >= 400 && status < 500 && status != 408 && status != 429)
          throw new IllegalStateException(status + " " + answer.body());
        var after = answer.headers().firstValue("Retry-After").orElse(""); // Seconds, or a date.
        if (after.matches("[0-9]{1,4}")) wait = Long.parseLong(after);
      } catch (IOException lost) {
        // A timeout or a lost connection.
      }
      Thread.sleep(wait * 1000); // The payment may be under way.
    }
    throw new IllegalStateException("The outcome is unknown: send the same body again later.");
  }

  public static void main(String[] args) throws Exception {
    var content = quoted(args[0]);
    var resolution = post("/v1/payouts/qr/resolve", "{\"content\":" + content + "}", "resolution_id");
    var quote = post("/v1/quotes", "{\"resolution_id\":" + quoted(member(resolution, "resolution_id")) + "}", "source");
    // Amounts are strings. Calculate with BigDecimal, never with double.
    var source = quote.substring(quote.indexOf("\"source\""));
    System.out.println("price " + member(source, "amount") + " USDT");
    // Store this body before the first request. After a crash, send the stored body.
    var order = """
        {"transaction_id":%s,"type":"qr","quote_id":%s,"qr":{"content":%s}}"""
        .formatted(quoted(args[1]), quoted(member(quote, "id")), content);
    var payout = post("/v1/payouts", order, "status");
    System.out.println(member(payout, "status") + " " + member(payout, "id")); // After `processing`, an event follows.
  }

  // Java has no JSON of its own. In production, use your library in place of the three methods below.
  static boolean isWhole(String text, String member) {
    var json = text.strip();
    return json.startsWith("{") && json.endsWith("}") && json.contains('"' + member + "\":");
  }

  static String member(String json, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"\\\\]*)\"").matcher(json);
    if (!found.find()) throw new IllegalStateException("no " + name + " in " + json);
    return found.group(1);
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  static String env(String name, String byDefault) {
    return System.getenv().getOrDefault(name, byDefault);
  }
}
