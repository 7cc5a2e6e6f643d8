package io.millrace.benchmarks.http;

import java.util.ArrayList;
import java.util.List;

/** What a connection can say to a server: enqueue only, or lead tasks through their whole life. */
public final class HttpTalks {
    /** As long as the payloads of the other benchmarks. */
    private static final String TASK = "{\"topic\":\"bench\",\"payload\":{\"text\":\"" + "x".repeat(189) + "\"}}";

    public static final byte[] ENQUEUE = Http.post("/v1/tasks", TASK);

    private HttpTalks() {}

    /** The same request again and again. */
    public static Conversation enqueue() {
        return new Conversation() {
            @Override
            public byte[] request() {
                return ENQUEUE;
            }

            @Override
            public boolean isAnswered(byte[] bytes, int length) {
                return Http.isAnswered(bytes, length);
            }
        };
    }

    /** Three requests for a task: enqueue it, claim one, report that it succeeded. */
    public static Conversation life(String worker) {
        return new Life(
                ENQUEUE,
                List.of(Http.post("/v1/workers/" + worker + "/claim", "{\"topics\":[\"bench\"]}")),
                worker,
                "");
    }

    /** Two requests for so many tasks: enqueue them; report those claimed before, and claim as many. */
    public static Conversation batchLife(String worker, int batch) {
        String tasks = "[" + (TASK + ",").repeat(batch - 1) + TASK + "]";
        return new Life(Http.post("/v1/tasks", tasks), List.of(), worker, "?claim=" + batch);
    }

    /** As many tasks as are claimed were enqueued before by the same connection, so there is always enough. */
    private static final class Life implements Conversation {
        private final byte[] enqueue;
        private final List<byte[]> claim;
        private final String report;
        private final List<String> outcomes = new ArrayList<>();
        private int step;

        Life(byte[] enqueue, List<byte[]> claim, String worker, String query) {
            this.enqueue = enqueue;
            this.claim = claim;
            report = "/v1/workers/" + worker + "/outcomes" + query;
        }

        @Override
        public byte[] request() {
            if (step == 0) {
                return enqueue;
            }
            if (step <= claim.size()) {
                return claim.get(step - 1);
            }
            byte[] request = Http.post(report, "{\"outcomes\":[" + String.join(",", outcomes) + "]}");
            outcomes.clear();
            return request;
        }

        @Override
        public boolean isAnswered(byte[] bytes, int length) {
            if (!Http.isAnswered(bytes, length)) {
                return false;
            }
            if (step > 0) {
                note(Http.body(bytes, length));
            }
            step = step == claim.size() + 1 ? 0 : step + 1;
            return true;
        }

        private void note(String body) {
            if (body.contains("\"applied\":false")) {
                throw new IllegalStateException(body);
            }
            int from = body.indexOf("\"tasks\":");
            while (from >= 0 && (from = body.indexOf("\"id\":\"", from)) >= 0) {
                String id = text(body, from + 6);
                from = body.indexOf("\"lease\":\"", from);
                outcomes.add("{\"task\":\"" + id + "\",\"lease\":\"" + text(body, from + 9)
                        + "\",\"outcome\":\"succeeded\"}");
            }
        }

        private static String text(String body, int from) {
            return body.substring(from, body.indexOf('"', from));
        }
    }
}
