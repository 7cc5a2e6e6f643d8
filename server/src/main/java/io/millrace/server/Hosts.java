package io.millrace.server;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names under which a server without access keys is reached. A web page can have its own name point at this
 * machine, and then its browser takes the server for a part of that site; but the name is in every request.
 */
final class Hosts {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

    private final Set<String> known = new HashSet<>();

    Hosts(ServerOptions options) {
        known.add(nameOf(options.host().indexOf(':') >= 0 ? "[" + options.host() + "]" : options.host()));
        options.allowedHosts().forEach(host -> known.add(nameOf(host)));
    }

    /** @param headers all that a request has; exactly one names its host */
    boolean isKnown(List<String> headers) {
        if (headers.size() != 1) {
            return false;
        }
        String name = nameOf(headers.get(0));
        return LOOPBACK.matcher(name).matches() || known.contains(name);
    }

    private static String nameOf(String host) {
        return PORT.matcher(host.strip()).replaceFirst("").toLowerCase(Locale.ROOT);
    }
}
