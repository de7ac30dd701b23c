import com.sun.net.httpserver.*;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.*;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Receives webhooks: java Receive.java */
public class Receive {
  /** Two during a rotation. */
  static final String[] SECRETS = System.getenv().getOrDefault("QUIPU_WEBHOOK_SECRET", "").split(",", -1);
  /** In production: a table, written in the transaction that does the work. */
  static final Set<String> TAKEN = ConcurrentHashMap.newKeySet();

  static boolean isFromQuipu(String header, byte[] body) throws GeneralSecurityException {
    var times = new ArrayList<String>();
    var given = new ArrayList<String>();
    for (var field : header.split(",")) {
      if (field.startsWith("t=")) times.add(field.substring(2));
      if (field.startsWith("v1=")) given.add(field.substring(3));
    }
    if (times.size() != 1 || !times.get(0).matches("[0-9]{1,12}")) return false;
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(times.get(0))) > 300) return false;
    for (var secret : SECRETS) {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(), "HmacSHA256"));
      mac.update((times.get(0) + ".").getBytes());
      var wanted = HexFormat.of().formatHex(mac.doFinal(body)).getBytes();
      for (var one : given) if (MessageDigest.isEqual(wanted, one.getBytes())) return true;
    }
    return false;
  }

  static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readNBytes(1 << 20); // The raw bytes; events are a few kB.
      var header = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("X-Service-Signature"), "");
      var accepted = isFromQuipu(header, body);
      if (accepted) take(new String(body, "UTF-8"));
      exchange.sendResponseHeaders(accepted ? 204 : 400, -1);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  static void take(String event) {
    var id = member(event, "id");
    if (TAKEN.add(id)) System.out.println(member(event, "type") + " " + id);
  }

  /** Java has no JSON of its own. In production, use your library. */
  static String member(String json, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"\\\\]*)\"").matcher(json);
    if (!found.find()) throw new IllegalStateException("no " + name + " in " + json);
    return found.group(1);
  }

  public static void main(String[] args) throws IOException {
    for (var secret : SECRETS)
      if (secret.isBlank())
        throw new IllegalStateException("QUIPU_WEBHOOK_SECRET has an empty secret: anyone can sign with that.");
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", Receive::receive);
    server.start();
  }
}
