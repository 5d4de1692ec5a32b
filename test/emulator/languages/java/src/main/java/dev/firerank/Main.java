package dev.firerank;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.BulkWriter;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.WriteBatch;
import com.google.cloud.firestore.WriteResult;
import com.google.api.core.ApiFuture;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DefaultApi;
import org.openapitools.client.model.Entry;
import org.openapitools.client.model.Page;
import org.openapitools.client.model.Rank;
import org.openapitools.client.model.Submission;
import org.openapitools.client.model.SubmitScoreRequest;

/**
 * Plays scenario.json with google-cloud-firestore and a REST client generated from /openapi.json. After each phase it sorts
 * the players by itself, and compares that with the lists, the ranks and the live top.
 */
public final class Main {
  private static final ObjectMapper json = new ObjectMapper();

  /** A line of the independent sort, and of lists. */
  record Row(String player, double score, long rank, long position) {}

  /** The independent sort, with the dense ranks by player. */
  record Table(List<Row> rows, Map<String, Long> dense) {
    Row of(String player) {
      return rows.stream().filter(row -> row.player.equals(player)).findFirst().orElseThrow();
    }
  }

  private final JsonNode settings;
  private final Firestore db;
  private final DefaultApi api;
  private final String points;
  private final String cup;
  private final CollectionReference players;
  private volatile List<Row> top = List.of();
  private volatile Double ann;

  private Main(JsonNode settings) {
    this.settings = settings;
    points = settings.get("points").asText();
    cup = settings.get("cup").asText();
    db = FirestoreOptions.newBuilder().setProjectId(settings.get("project").asText()).build().getService();
    var client = new ApiClient();
    client.updateBaseUri(settings.get("rest").asText());
    var token = settings.get("token").asText();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    api = new DefaultApi(client);
    players = playersOf(points);
  }

  public static void main(String[] args) throws Exception {
    var settings = json.readTree(new File(args[0]));
    new Main(settings).play(json.readTree(new File(settings.get("scenario").asText())));
    System.exit(0);
  }

  private void play(JsonNode scenario) throws Exception {
    listen();
    var told = new BufferedReader(new InputStreamReader(System.in));
    for (var phase : scenario.get("phases")) {
      for (var step : phase) write(step);
      System.out.println("written");
      var generations = told.readLine().split(" ");
      System.out.println("checked " + check(Long.parseLong(generations[0]), Long.parseLong(generations[1])));
    }
  }

  private CollectionReference playersOf(String board) {
    return db.collection("leaderboards/" + board + "/seasons/all_time/players");
  }

  private void listen() {
    players
        .getParent()
        .collection("top")
        .document("current")
        .addSnapshotListener(
            (snapshot, error) -> {
              if (snapshot == null || !snapshot.exists()) return;
              var rows = new ArrayList<Row>();
              for (var one : (List<?>) snapshot.get("entries")) {
                var entry = (Map<?, ?>) one;
                rows.add(
                    new Row(
                        (String) entry.get("player"),
                        ((Number) entry.get("score")).doubleValue(),
                        ((Number) entry.get("rank")).longValue(),
                        ((Number) entry.get("position")).longValue()));
              }
              top = rows;
            });
    players
        .document("ann")
        .addSnapshotListener(
            (snapshot, error) -> {
              if (snapshot != null && snapshot.exists()) ann = snapshot.getDouble("score");
            });
  }

  /** A value as the scenario says it, with Firestore's own for the words in capitals. */
  private static Object value(JsonNode said) {
    if (said.has("INCREMENT")) {
      var by = said.get("INCREMENT");
      return by.isIntegralNumber() ? FieldValue.increment(by.asLong()) : FieldValue.increment(by.asDouble());
    }
    if (said.has("UNION")) return FieldValue.arrayUnion(((List<?>) value(said.get("UNION"))).toArray());
    if (said.has("TIME")) return Timestamp.parseTimestamp(said.get("TIME").asText());
    if (said.has("SERVER_TIME")) return FieldValue.serverTimestamp();
    if (said.has("DELETE")) return FieldValue.delete();
    if (said.isObject()) return fields(said);
    if (said.isArray()) {
      var list = new ArrayList<Object>();
      said.forEach(one -> list.add(value(one)));
      return list;
    }
    if (said.isIntegralNumber()) return said.asLong();
    return said.isNumber() ? said.asDouble() : said.asText();
  }

  private static Map<String, Object> fields(JsonNode said) {
    var found = new HashMap<String, Object>();
    said.fields().forEachRemaining(one -> found.put(one.getKey(), value(one.getValue())));
    return found;
  }

  private void write(JsonNode step) throws Exception {
    var name = step.fieldNames().next();
    switch (name) {
      case "batch" -> {
        var batch = db.batch();
        for (var one : step.get("batch")) write(batch, one);
        batch.commit().get();
      }
      case "bulk" -> {
        var bulk = db.bulkWriter();
        var results = new ArrayList<ApiFuture<WriteResult>>();
        for (var one : step.get("bulk")) results.add(write(bulk, one));
        bulk.close();
        for (var result : results) result.get();
      }
      case "transaction" -> move(step.get("transaction").asLong(), step.get("from"), step.get("to"));
      case "submit" -> submit(step);
      default -> {
        var document = players.document(step.get(name).asText());
        switch (name) {
          case "set" -> document.set(fields(step.get("fields"))).get();
          case "create" -> document.create(fields(step.get("fields"))).get();
          case "merge" -> document.set(fields(step.get("fields")), SetOptions.merge()).get();
          case "update" -> document.update(fields(step.get("fields"))).get();
          case "delete" -> document.delete().get();
          default -> throw new IllegalArgumentException("the scenario has an unknown step: " + step);
        }
      }
    }
  }

  private void write(WriteBatch batch, JsonNode step) {
    var name = step.fieldNames().next();
    var document = players.document(step.get(name).asText());
    switch (name) {
      case "set" -> batch.set(document, fields(step.get("fields")));
      case "create" -> batch.create(document, fields(step.get("fields")));
      case "update" -> batch.update(document, fields(step.get("fields")));
      case "delete" -> batch.delete(document);
      default -> throw new IllegalArgumentException("a batch has an unknown step: " + step);
    }
  }

  private ApiFuture<WriteResult> write(BulkWriter bulk, JsonNode step) {
    var name = step.fieldNames().next();
    var document = players.document(step.get(name).asText());
    return switch (name) {
      case "set" -> bulk.set(document, fields(step.get("fields")));
      case "create" -> bulk.create(document, fields(step.get("fields")));
      case "update" -> bulk.update(document, fields(step.get("fields")));
      case "delete" -> bulk.delete(document);
      default -> throw new IllegalArgumentException("a BulkWriter has an unknown step: " + step);
    };
  }

  private void move(long by, JsonNode from, JsonNode to) throws Exception {
    var giver = players.document(from.asText());
    var taker = players.document(to.asText());
    db.runTransaction(
            transaction -> {
              var given = transaction.get(giver).get().getLong("score");
              var taken = transaction.get(taker).get().getLong("score");
              transaction.update(giver, "score", given - by);
              transaction.update(taker, "score", taken + by);
              return null;
            })
        .get();
  }

  private void submit(JsonNode step) throws ApiException {
    var player = step.get("submit").asText();
    var request = new SubmitScoreRequest().player(player);
    if (step.has("score")) request.score(step.get("score").asDouble());
    if (step.has("columns"))
      step.get("columns").fields().forEachRemaining(
          one -> request.putColumnsItem(one.getKey(), one.getValue().asLong()));
    Submission answer = api.submitScore(step.get("board").asText().equals("cup") ? cup : points, request);
    equal("the player of a submission", answer.getPlayer(), player);
    var stored = answer.getSeasons().get(0).getScore();
    if (step.has("score") && stored < request.getScore())
      throw new AssertionError("submitScore of " + request.getScore() + " answered " + stored);
  }

  private static void equal(String what, Object found, Object expected) {
    if (!Objects.equals(found, expected))
      throw new AssertionError(what + ": found " + found + ", expected " + expected);
  }

  /** The independent sort: better score, then earlier, then id. */
  private static Table ranked(List<? extends DocumentSnapshot> documents) {
    var sorted = new ArrayList<DocumentSnapshot>(documents);
    sorted.sort(
        Comparator.comparing((DocumentSnapshot one) -> -one.getDouble("score"))
            .thenComparing(one -> one.getTimestamp("achieved_at"))
            .thenComparing(DocumentSnapshot::getId));
    var rows = new ArrayList<Row>();
    var dense = new HashMap<String, Long>();
    long rank = 0;
    long denseRank = 0;
    double before = Double.NaN;
    for (var one : sorted) {
      double score = one.getDouble("score");
      if (score != before) {
        rank = rows.size() + 1;
        denseRank++;
        before = score;
      }
      rows.add(new Row(one.getId(), score, rank, rows.size() + 1));
      dense.put(one.getId(), denseRank);
    }
    return new Table(rows, dense);
  }

  private static List<Row> rowsOf(List<Entry> entries) {
    return entries.stream()
        .map(one -> new Row(one.getPlayer(), one.getScore(), one.getRank(), one.getPosition()))
        .toList();
  }

  private List<Row> pages(long generation, String segment) throws ApiException {
    var rows = new ArrayList<Row>();
    String cursor = null;
    do {
      Page page = api.getPage(points, null, null, generation, null, null, segment, null, null, null, cursor, 4);
      rows.addAll(rowsOf(page.getEntries()));
      cursor = page.getNextCursor();
    } while (cursor != null);
    return rows;
  }

  /** Compares everything with the sort. Returns how many ranks were compared. */
  private int check(long generation, long cupGeneration) throws Exception {
    List<QueryDocumentSnapshot> documents = players.get().get().getDocuments();
    var table = ranked(documents);
    var byCountry = new HashMap<String, List<DocumentSnapshot>>();
    var countries = new HashMap<String, String>();
    for (var one : documents) {
      var country = one.getString("segments.country");
      if (country == null) continue;
      countries.put(one.getId(), country);
      byCountry.computeIfAbsent(country, any -> new ArrayList<>()).add(one);
    }
    equal("all pages", pages(generation, null), table.rows);
    equal("pages of AT", pages(generation, "country:AT"), ranked(byCountry.get("AT")).rows);
    for (var row : table.rows) {
      var segments = List.of("country");
      Rank found = api.getRank(points, row.player, null, null, generation, null, null, null, null, segments);
      equal(
          "the rank of " + row.player,
          List.of(found.getScore(), found.getRank(), found.getDenseRank(), found.getPlayers()),
          List.of(row.score, row.rank, table.dense.get(row.player), (long) table.rows.size()));
      checkInSegment(row.player, found, countries.get(row.player), byCountry);
      Rank ofScore = api.getRankOfScore(points, null, null, generation, null, null, null, row.score, null, null);
      equal("the score of a rank", ofScore.getScore(), row.score);
      equal("the rank of a score", ofScore.getRank(), row.rank);
    }
    checkColumns(cupGeneration);
    try {
      api.getRank(points, "nobody", null, null, null, null, null, null, null, null);
      throw new AssertionError("nobody has a rank");
    } catch (ApiException refused) {
      equal("the status of a refusal", refused.getCode(), 404);
      var code = json.readTree(refused.getResponseBody()).at("/error/code").asText();
      equal("the code of a refusal", code, "player_not_ranked");
    }
    checkTop(table);
    return table.rows.size();
  }

  private static void checkInSegment(
      String player, Rank found, String country, Map<String, List<DocumentSnapshot>> byCountry) {
    var own = found.getSegments().get("country");
    if (country == null) {
      equal("the rank of " + player + " in a segment", own, null);
      return;
    }
    var within = ranked(byCountry.get(country));
    equal("the rank of " + player + " in a segment", own.getRank(), within.of(player).rank);
    equal("the dense rank in a segment", own.getDenseRank(), within.dense.get(player));
  }

  private void checkColumns(long generation) throws Exception {
    long better = 0;
    for (var one : playersOf(cup).get().get()) {
      long won = one.getLong("columns.points");
      if (won > 3 || (won == 3 && one.getLong("columns.goals") > -2)) better++;
    }
    var asked = List.of("points:3", "goals:-2");
    Rank found = api.getRankOfScore(cup, null, null, generation, null, null, null, null, asked, null);
    equal("the columns of a rank", found.getColumns(), Map.of("points", 3L, "goals", -2L));
    equal("the rank of columns", found.getRank(), 1 + better);
  }

  /** Compares what the listeners have heard, which comes a little later, and the top over REST. */
  private void checkTop(Table table) throws Exception {
    var best = table.rows.subList(0, 10);
    var until = System.nanoTime() + (long) (settings.get("seconds").asDouble() * 1e9);
    while (true) {
      try {
        equal("the top that was listened to", top, best);
        equal("the player who was listened to", ann, table.of("ann").score);
        break;
      } catch (AssertionError error) {
        if (System.nanoTime() > until) throw error;
        Thread.sleep(100);
      }
    }
    equal("the top over REST", rowsOf(api.getTop(points, null, null, null, null, null).getEntries()), best);
  }
}
