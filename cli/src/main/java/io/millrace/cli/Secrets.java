package io.millrace.cli;

import java.util.regex.Pattern;

/** Passwords within URLs, which must not be shown. */
final class Secrets {
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([?&;][^=&;\\s]*(?:password|secret|key)[^=&;\\s]*=)[^&;\\s\"]+");
    private static final Pattern USER_INFO = Pattern.compile("(//[^/@:\\s]*:)[^/@\\s]+@");

    private Secrets() {}

    static String hidden(String text) {
        return USER_INFO.matcher(PARAMETER.matcher(text).replaceAll("$1***")).replaceAll("$1***@");
    }
}
