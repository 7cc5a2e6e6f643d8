package io.millrace.client;

import io.millrace.InvalidValueException;
import io.millrace.StoreFullException;
import io.millrace.StoreUnavailableException;
import io.millrace.TopicFullException;
import io.millrace.WrongStateException;
import io.millrace.wire.Problem;
import io.millrace.wire.Problem.FieldError;
import io.millrace.wire.ProblemForm;
import io.millrace.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Answers that are not what was hoped for, as the exceptions that an engine in this process would throw. */
final class Trouble {
    private static final String KIND = "urn:millrace:problem:";
    /** Of the bad fields beside the first; the rest is counted. */
    private static final int TOLD = 9;

    private Trouble() {}

    /** What made a future fail. */
    static Throwable cause(@Nullable Throwable error) {
        if (error == null) {
            return new IllegalStateException("no answer");
        }
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    /** The kind of a problem; empty if it is none of Millrace's, such as the page of a proxy. */
    static String kind(Answer answer) {
        String type = problem(answer).type();
        return type.startsWith(KIND) ? type.substring(KIND.length()) : "";
    }

    private static Problem problem(Answer answer) {
        try {
            return ProblemForm.read(answer.body());
        } catch (WireException e) {
            return new Problem("about:blank", "", answer.status(), null);
        }
    }

    /** Whether the server, or a proxy before it, asks to come again. */
    static boolean isPassing(Answer answer) {
        return switch (answer.status()) {
            case 408, 502, 503, 504 -> true;
            // a proxy's way to say it; of Millrace it is a full topic
            case 429 -> kind(answer).isEmpty();
            default -> false;
        };
    }

    static RuntimeException of(Answer answer) {
        Problem problem = problem(answer);
        String detail = problem.detail() == null ? problem.title() : problem.detail();
        if (isPassing(answer)) {
            return new StoreUnavailableException("the server cannot answer now: " + answer.status() + " " + detail);
        }
        return switch (kind(answer)) {
            case "bad-input", "too-large", "url-too-long", "dead-letter-ring" -> invalid(problem, detail);
            case "wrong-state" -> new WrongStateException(detail);
            case "topic-full" -> TopicFullException.told(fullTopic(detail), detail);
            case "store-full" -> new StoreFullException(detail);
            case "no-access" -> new AccessDeniedException(detail, false);
            case "forbidden" -> new AccessDeniedException(detail, true);
            default -> unexpected(answer, detail);
        };
    }

    private static RuntimeException unexpected(Answer answer, String detail) {
        if (answer.status() == 401 || answer.status() == 403) {
            return new AccessDeniedException("the server, or one before it, lets nobody in: " + answer.status(), false);
        }
        return new IllegalStateException("the server answered " + answer.status()
                + (detail.isEmpty() ? ", and not as a Millrace server does" : ": " + detail));
    }

    private static InvalidValueException invalid(Problem problem, String detail) {
        if (problem.errors().isEmpty()) {
            return InvalidValueException.told("request", "request: it is not allowed; " + detail);
        }
        FieldError first = problem.errors().get(0);
        List<String> messages = new ArrayList<>();
        messages.add(field(first) + ": " + reason(first));
        List<FieldError> others = problem.errors().subList(1, problem.errors().size());
        for (FieldError other : others.subList(0, Math.min(others.size(), TOLD))) {
            messages.add(place(other) + ": " + reason(other));
        }
        int more = Math.max(0, others.size() - TOLD) + problem.more();
        if (more > 0) {
            messages.add(more + " more");
        }
        return InvalidValueException.told(field(first), messages);
    }

    private static String place(FieldError error) {
        return error.parameter() != null ? error.parameter() : String.valueOf(error.pointer());
    }

    private static String field(FieldError error) {
        return error.parameter() != null ? error.parameter() : field(String.valueOf(error.pointer()));
    }

    /** The detail without the field's name, which some begin with. */
    private static String reason(FieldError error) {
        String start = field(error) + ": ";
        return error.detail().startsWith(start) ? error.detail().substring(start.length()) : error.detail();
    }

    /** {@code /3/retry/max} is the field {@code retry.max} of one of the tasks. */
    private static String field(String pointer) {
        List<String> names = new ArrayList<>();
        for (String part : pointer.split("/", -1)) {
            if (!part.isEmpty() && !part.matches("\\d+") && !part.equals("outcomes")) {
                names.add(part);
            }
        }
        return names.isEmpty() ? "request" : String.join(".", names);
    }

    /** Names of topics have no spaces: {@code topic NAME is full: …}. */
    private static String fullTopic(String detail) {
        String[] words = detail.split(" ", 3);
        return words.length == 3 ? words[1] : "";
    }
}
