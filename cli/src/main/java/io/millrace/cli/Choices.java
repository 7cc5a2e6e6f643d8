package io.millrace.cli;

import io.millrace.ClaimOrder;
import io.millrace.OnTimeout;
import io.millrace.TaskState;
import java.util.ArrayList;
import java.util.Locale;
import java.util.stream.Stream;

/** What options take, as help and shells show it: in lower case, as the HTTP API has it. */
final class Choices {
    private Choices() {}

    /** picocli makes one where an option names the class. */
    abstract static class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Names(Stream<String> names) {
            super(names.toList());
        }
    }

    private static Stream<String> lowerCase(Enum<?>... constants) {
        return Stream.of(constants).map(constant -> constant.name().toLowerCase(Locale.ROOT));
    }

    static final class Orders extends Names {
        private static final long serialVersionUID = 1L;

        Orders() {
            super(lowerCase(ClaimOrder.values()));
        }
    }

    static final class OnTimeouts extends Names {
        private static final long serialVersionUID = 1L;

        OnTimeouts() {
            super(lowerCase(OnTimeout.values()));
        }
    }

    /** Names of states, and of groups of them. */
    static final class States extends Names {
        private static final long serialVersionUID = 1L;

        States() {
            super(Stream.concat(
                    Stream.of("pending", "failed"),
                    Stream.of(TaskState.values()).map(TaskState::name)));
        }
    }
}
