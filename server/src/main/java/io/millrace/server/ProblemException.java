package io.millrace.server;

import io.millrace.wire.Problem;
import io.millrace.wire.ProblemForm;
import java.util.Map;

/** Ends a request with a problem. It is an answer, not trouble: it has no stack. */
final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;
    private final transient Map<String, String> headers;

    ProblemException(Problem problem, Map<String, String> headers) {
        super(problem.title(), null, false, false);
        this.problem = problem;
        this.headers = headers;
    }

    Problem problem() {
        return problem;
    }

    Map<String, String> headers() {
        return headers;
    }

    byte[] body() {
        return ProblemForm.write(problem);
    }
}
