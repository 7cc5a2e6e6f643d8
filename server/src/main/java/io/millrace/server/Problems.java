package io.millrace.server;

import io.millrace.DeadLetterRingException;
import io.millrace.InvalidValueException;
import io.millrace.StoreFullException;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskNotFoundException;
import io.millrace.TooManyWorkersException;
import io.millrace.TopicFullException;
import io.millrace.WrongStateException;
import io.millrace.wire.Problem;
import io.millrace.wire.Problem.FieldError;
import io.millrace.wire.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Everything that can go wrong, as an answer. No other place makes one. */
final class Problems {
    private static final String KIND = "urn:millrace:problem:";
    private static final int LISTED = 100;
    private static final Map<String, String> TRY_AGAIN = Map.of("Retry-After", "1");

    private Problems() {}

    /** @param troubles is told of what is not the client's fault */
    static ProblemException of(Throwable thrown, TroubleLog troubles) {
        Throwable error =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (error instanceof ProblemException known) {
            return known;
        }
        if (error instanceof WireException e) {
            return badFields(e);
        }
        if (error instanceof DeadLetterRingException e) {
            List<FieldError> errors = List.of(FieldError.field("/deadLetter", text(e)));
            return refused("dead-letter-ring", "Dead letters would come back", 422, text(e), errors, 0);
        }
        if (error instanceof InvalidValueException e) {
            return badField("/" + e.field().replace('.', '/'), text(e));
        }
        if (error instanceof TaskNotFoundException e) {
            return notFound(text(e));
        }
        if (error instanceof WrongStateException e) {
            return problem("wrong-state", "The task is in another state", 409, text(e));
        }
        if (error instanceof TopicFullException e) {
            return problem("topic-full", "The topic is full", 429, text(e), TRY_AGAIN);
        }
        if (error instanceof TooManyWorkersException e) {
            return problem("too-many-workers", "There are too many workers", 429, text(e), TRY_AGAIN);
        }
        if (error instanceof CancellationException) {
            return unavailable("The server is being closed.");
        }
        if (error instanceof StoreFullException e) {
            return problem("store-full", "The store is full", 507, text(e), TRY_AGAIN);
        }
        return trouble(error, troubles);
    }

    private static ProblemException trouble(Throwable error, TroubleLog troubles) {
        if (error instanceof StoreUnavailableException || error instanceof RejectedExecutionException) {
            troubles.unavailable(error);
            return unavailable("The store cannot be reached. It is safe to try again.");
        }
        if (error instanceof IllegalStateException && text(error).contains("closed")) {
            return unavailable("The server is being closed.");
        }
        troubles.internal(error);
        return problem("internal", "The server failed", 500, "The log of the server says why.");
    }

    private static String text(Throwable error) {
        return String.valueOf(error.getMessage());
    }

    private static ProblemException problem(String kind, String title, int status, @Nullable String detail) {
        return problem(kind, title, status, detail, Map.of());
    }

    private static ProblemException problem(
            String kind, String title, int status, @Nullable String detail, Map<String, String> headers) {
        return new ProblemException(new Problem(KIND + kind, title, status, detail), headers);
    }

    static ProblemException badField(String pointer, String detail) {
        return badFields(List.of(FieldError.field(pointer, detail)));
    }

    /** All bad fields of a body. */
    static ProblemException badFields(WireException e) {
        List<FieldError> errors = e.faults().stream()
                .map(fault -> FieldError.field(fault.pointer(), fault.detail()))
                .toList();
        return e.isTooLarge() ? tooLarge(e.detail(), errors, e.more()) : bad(e.detail(), errors, e.more());
    }

    /** Bad fields of a body; there is at least one. */
    static ProblemException badFields(List<FieldError> errors) {
        return bad(errors.get(0).detail(), errors, 0);
    }

    static ProblemException badParameter(String name, String detail) {
        return badParameters(Map.of(name, detail));
    }

    /** @param details what is wrong, by the name of the parameter; there is at least one */
    static ProblemException badParameters(Map<String, String> details) {
        Map.Entry<String, String> first = details.entrySet().iterator().next();
        List<FieldError> errors = new ArrayList<>();
        details.forEach((name, detail) -> errors.add(FieldError.parameter(name, detail)));
        return bad(
                first.getValue().startsWith(first.getKey() + ": ")
                        ? first.getValue()
                        : first.getKey() + ": " + first.getValue(),
                errors,
                0);
    }

    private static ProblemException bad(String first, List<FieldError> errors, int more) {
        return refused("bad-input", "The request is not as it should be", 400, first, errors, more);
    }

    /** Lists the first hundred. */
    private static ProblemException refused(
            String kind, String title, int status, String first, List<FieldError> errors, int more) {
        List<FieldError> listed = errors.subList(0, Math.min(errors.size(), LISTED));
        int others = errors.size() - 1 + more;
        String detail = others == 0 ? first : first + " (and " + others + " more: see errors)";
        int unlisted = errors.size() - listed.size() + more;
        return new ProblemException(new Problem(KIND + kind, title, status, detail, listed, unlisted, null), Map.of());
    }

    static ProblemException malformed(String detail) {
        return problem("malformed", "The request is not HTTP as it should be", 400, detail);
    }

    static ProblemException unauthorized() {
        return problem(
                "no-access",
                "An access key is needed",
                401,
                "Send a key: Authorization: Bearer <key>",
                Map.of("WWW-Authenticate", "Bearer"));
    }

    static ProblemException forbidden(String detail) {
        return problem("forbidden", "The access key does not open this", 403, detail);
    }

    static ProblemException tooManyListeners(String detail) {
        return problem("too-many-listeners", "Too many clients listen to events", 429, detail, TRY_AGAIN);
    }

    static ProblemException notFound(String detail) {
        return problem("not-found", "There is no such thing", 404, detail);
    }

    static ProblemException wrongHost(List<String> hosts) {
        String given = hosts.isEmpty() ? "no Host" : "Host " + String.join(", ", hosts);
        return problem(
                "wrong-host",
                "The server is not known by this name",
                421,
                "The request has " + given + ". Without access keys the server answers to localhost, loopback addresses"
                        + " and the names given by --allowed-host");
    }

    static ProblemException unknownWorker(String id) {
        return problem("unknown-worker", "The worker is not known", 404, "There is no worker " + id + ": register.");
    }

    static ProblemException expiredWorker(String id) {
        return problem(
                "worker-expired",
                "The worker has expired",
                410,
                "Worker " + id + " was not heard of in time: register.");
    }

    static ProblemException wrongMethod(String allowed) {
        return problem("wrong-method", "This is not done so", 405, "Allowed is " + allowed, Map.of("Allow", allowed));
    }

    static ProblemException tooSlow() {
        return problem("too-slow", "The request did not come in time", 408, null, Map.of("Connection", "close"));
    }

    static ProblemException tooLarge(String pointer, String detail) {
        return tooLarge(detail, List.of(FieldError.field(pointer, detail)), 0);
    }

    private static ProblemException tooLarge(String first, List<FieldError> errors, int more) {
        return refused("too-large", "The request is too large", 413, first, errors, more);
    }

    static ProblemException bodyTooLarge(int limit) {
        return problem(
                "too-large",
                "The request is too large",
                413,
                "A body may have up to " + limit + " bytes; NDJSON may have any number",
                Map.of("Connection", "close"));
    }

    static ProblemException urlTooLong(int limit) {
        return problem("url-too-long", "The URL is too long", 414, "It may have up to " + limit + " characters");
    }

    static ProblemException headersTooLarge(int limit) {
        return problem(
                "headers-too-large", "The headers are too large", 431, "They may have up to " + limit + " bytes");
    }

    static ProblemException wrongType(String type, String allowed) {
        return problem(
                "wrong-type", "The body is of another type", 415, "Content-Type is " + type + "; send " + allowed);
    }

    /** For probes: why, without a line in the log for each of them. */
    static ProblemException notReady(Throwable error) {
        return unavailable("The store takes in no tasks now: " + text(error));
    }

    static ProblemException tooManyReads(int atATime, int waiting) {
        return problem(
                "too-many-reads",
                "Too many reads at once",
                429,
                "Of one access key, " + atATime + " long reads run at a time and " + waiting
                        + " wait. Wait for their answers, or ask for less at once",
                TRY_AGAIN);
    }

    static ProblemException unavailable(String detail) {
        return problem("unavailable", "The server cannot do this now", 503, detail, TRY_AGAIN);
    }

    static ProblemException noMemory() {
        return problem(
                "unavailable",
                "The server cannot do this now",
                503,
                "The bodies of other requests use up the memory for bodies; it is safe to try again",
                Map.of("Retry-After", "1", "Connection", "close"));
    }

    /** The same problem, and how many tasks are stored all the same. */
    static ProblemException withAccepted(ProblemException problem, long accepted, boolean close) {
        Map<String, String> headers = new HashMap<>(problem.headers());
        if (close) {
            headers.put("Connection", "close");
        }
        return new ProblemException(problem.problem().accepted(accepted), headers);
    }
}
