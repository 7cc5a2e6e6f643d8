package io.millrace.server;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who may come in. */
final class Access {
    private static final String SCHEME = "Bearer ";

    private volatile List<Entry> entries = List.of();

    private static final class Entry {
        private final byte[] hash;
        private final Caller caller;

        Entry(AccessKey key) {
            hash = HexFormat.of().parseHex(key.sha256());
            caller = new Caller(key.name(), key.role(), key.topics());
        }
    }

    Access(List<AccessKey> keys) {
        set(keys);
    }

    void set(List<AccessKey> keys) {
        entries = keys.stream().map(Entry::new).toList();
    }

    /** Whether everybody may come in. */
    boolean isOpen() {
        return entries.isEmpty();
    }

    /** @throws ProblemException 401 if keys are needed and this is none */
    Caller identify(@Nullable String authorization) {
        if (isOpen()) {
            return Caller.ANYBODY;
        }
        Caller found = authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? null
                : find(AccessKey.hash(authorization.substring(SCHEME.length()).strip()));
        if (found == null) {
            throw Problems.unauthorized();
        }
        return found;
    }

    /** Looks at all keys, however early one fits: the time it takes tells nothing. */
    private @Nullable Caller find(byte[] hash) {
        Caller found = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.hash, hash)) {
                found = entry.caller;
            }
        }
        return found;
    }

    /**
     * Who sent a request.
     *
     * @param name of the key; empty if no keys are set
     * @param topics the only ones that are open to it; empty for all
     */
    record Caller(String name, Role role, Set<String> topics) {
        static final Caller ANYBODY = new Caller("", Role.ADMIN, Set.of());

        /** Whether no keys are set, so that nobody can be told apart. */
        boolean isAnybody() {
            return name.isEmpty();
        }

        boolean isLimited() {
            return !topics.isEmpty();
        }

        boolean mayUse(String topic) {
            return topics.isEmpty() || topics.contains(topic);
        }

        void checkRole(Set<Role> allowed) {
            if (role != Role.ADMIN && !allowed.contains(role)) {
                String needed = allowed.stream()
                        .map(Role::word)
                        .sorted()
                        .collect(Collectors.joining(", ", "", allowed.isEmpty() ? "admin" : " or admin"));
                throw Problems.forbidden(
                        "the key \"" + name + "\" has the role " + role.word() + "; this needs " + needed);
            }
        }

        void checkTopic(String topic) {
            if (!mayUse(topic)) {
                throw Problems.forbidden("the key \"" + name + "\" does not open topic " + topic);
            }
        }
    }
}
