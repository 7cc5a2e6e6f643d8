package io.millrace;

import java.util.Locale;
import java.util.regex.Pattern;

/** What to say about a URL that no provider on the class path accepts. */
final class UnknownUrl {
    private static final Pattern HOST_AND_PORT = Pattern.compile("[\\w.-]+:\\d{1,5}(/.*)?");
    /** Two letters at least: one is a drive of Windows. */
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*", Pattern.DOTALL);

    private UnknownUrl() {}

    static InvalidValueException refused(String url) {
        // a JDBC URL may end with a password
        int settings = url.indexOf('?');
        String shown = settings < 0 ? url : url.substring(0, settings) + "?…";
        return new InvalidValueException("url", shown, advice(url, shown));
    }

    private static String advice(String url, String shown) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (url.startsWith("embedded:")) {
            return missing("millrace-store-embedded");
        }
        if (url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:mariadb:")) {
            return missing("millrace-store-sql");
        }
        if (lower.startsWith("http://") || lower.startsWith("https://")) {
            return missing("millrace-client");
        }
        if (HOST_AND_PORT.matcher(url).matches()) {
            return "did you mean http://" + shown + "?";
        }
        if (!url.isBlank() && !SCHEME.matcher(url).matches()) {
            return "did you mean embedded:" + shown + "?";
        }
        return "it must be heap:, embedded:DIRECTORY, jdbc:postgresql:…, jdbc:mariadb:…, http://… or https://…";
    }

    private static String missing(String module) {
        return "its module is not on the class path: add " + module;
    }
}
