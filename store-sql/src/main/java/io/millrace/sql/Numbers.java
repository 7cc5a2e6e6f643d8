package io.millrace.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** New numbers for one transaction. The lanes for which they are must be locked when they are drawn. */
final class Numbers {
    private final Tx tx;
    private long next;
    private long end;
    private Tx.@Nullable Answer<Long> asked;

    Numbers(Tx tx) {
        this.tx = tx;
    }

    long next() throws SQLException {
        if (next == end) {
            next = ask().rows().get(0);
            end = next + Tx.BLOCK;
            asked = null;
        }
        return next++;
    }

    /** Asks for numbers that will be needed, along with other questions. */
    void askAhead() throws SQLException {
        if (next == end) {
            var unused = ask();
        }
    }

    private Tx.Answer<Long> ask() throws SQLException {
        Tx.Answer<Long> answer = asked == null ? tx.block() : asked;
        asked = answer;
        return answer;
    }
}
