package io.millrace.testkit.mutants;

import io.millrace.spi.Records;
import io.millrace.spi.TaskStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Stores whose records are no compare-and-set map. */
final class RecordMutants {
    private RecordMutants() {}

    private static class HasOtherRecords extends ForwardingStore {
        private final Records records;

        HasOtherRecords(TaskStore store, UnaryOperator<Records> change) {
            super(store);
            records = change.apply(store.records());
        }

        @Override
        public Records records() {
            return records;
        }
    }

    private static class ForwardingRecords implements Records {
        final Records records;

        ForwardingRecords(Records records) {
            this.records = records;
        }

        @Override
        public Optional<Entry> get(String key) {
            return records.get(key);
        }

        @Override
        public List<Entry> list(String prefix) {
            return records.list(prefix);
        }

        @Override
        public boolean put(String key, String value, long expectedVersion) {
            return records.put(key, value, expectedVersion);
        }

        @Override
        public boolean remove(String key, long expectedVersion) {
            return records.remove(key, expectedVersion);
        }

        long currentVersion(String key) {
            return records.get(key).map(Entry::version).orElse(ABSENT);
        }
    }

    static final class LetsTheLastWriteWin extends HasOtherRecords {
        LetsTheLastWriteWin(TaskStore store) {
            super(store, records -> new ForwardingRecords(records) {
                @Override
                public boolean put(String key, String value, long expectedVersion) {
                    return records.put(key, value, currentVersion(key));
                }
            });
        }
    }

    static final class RemovesAnyVersion extends HasOtherRecords {
        RemovesAnyVersion(TaskStore store) {
            super(store, records -> new ForwardingRecords(records) {
                @Override
                public boolean remove(String key, long expectedVersion) {
                    return records.remove(key, currentVersion(key));
                }
            });
        }
    }

    static final class ListsInNoOrder extends HasOtherRecords {
        ListsInNoOrder(TaskStore store) {
            super(store, records -> new ForwardingRecords(records) {
                @Override
                public List<Entry> list(String prefix) {
                    List<Entry> reversed = new ArrayList<>(records.list(prefix));
                    Collections.reverse(reversed);
                    return reversed;
                }
            });
        }
    }

    static final class TakesAPrefixForAPattern extends HasOtherRecords {
        TakesAPrefixForAPattern(TaskStore store) {
            super(store, records -> new ForwardingRecords(records) {
                @Override
                public List<Entry> list(String prefix) {
                    String pattern = prefix.replace("_", ".") + ".*";
                    return records.list("").stream()
                            .filter(entry -> entry.key().matches(pattern))
                            .toList();
                }
            });
        }
    }

    /** Counts versions from one again after a removal. */
    static final class UsesVersionsAgain extends HasOtherRecords {
        UsesVersionsAgain(TaskStore store) {
            super(store, RestartingVersions::new);
        }
    }

    private static final class RestartingVersions extends ForwardingRecords {
        private final Map<String, Long> hidden = new ConcurrentHashMap<>();

        RestartingVersions(Records records) {
            super(records);
        }

        @Override
        public Optional<Entry> get(String key) {
            return super.get(key).map(this::show);
        }

        @Override
        public List<Entry> list(String prefix) {
            return super.list(prefix).stream().map(this::show).toList();
        }

        @Override
        public boolean put(String key, String value, long expected) {
            boolean done = super.put(key, value, expected == ABSENT ? ABSENT : expected + hidden(key));
            if (done && expected == ABSENT) {
                hidden.put(key, currentVersion(key) - 1);
            }
            return done;
        }

        @Override
        public boolean remove(String key, long expected) {
            return super.remove(key, expected + hidden(key));
        }

        private long hidden(String key) {
            return hidden.getOrDefault(key, 0L);
        }

        private Entry show(Entry entry) {
            return new Entry(entry.key(), entry.value(), entry.version() - hidden(entry.key()));
        }
    }
}
