package io.millrace.client;

import io.millrace.InvalidValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where the server is: scheme, host, port, and the path under which a proxy may have put it. */
record ServerUrl(String base) {
    static boolean isHttp(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        return lower.startsWith("http://") || lower.startsWith("https://");
    }

    static ServerUrl parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new InvalidValueException("url", withoutSecrets(url), "it must be such as http://127.0.0.1:7070");
        }
        if (uri.getRawUserInfo() != null || url.indexOf('@') >= 0) {
            throw new InvalidValueException(
                    "url",
                    withoutSecrets(url),
                    "URLs end up in logs, and a key must not: set MillraceOptions.accessKey, or the environment variable "
                            + HttpProvider.KEY_VARIABLE);
        }
        if (!isHttp(url) || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new InvalidValueException(
                    "url",
                    withoutSecrets(url),
                    "it must be http or https with a host, and may have a port and a path, such as http://127.0.0.1:7070");
        }
        return new ServerUrl(url.replaceAll("/+$", ""));
    }

    /** Whatever stands before an @ or after a ? may be a key. */
    private static String withoutSecrets(String url) {
        return url.replaceAll("//[^/]*@", "//…@").replaceAll("\\?.*", "?…");
    }

    URI at(String path) {
        return URI.create(base + path);
    }

    /** One part of a path, or one value of a parameter. */
    static String encoded(String text) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        // a part of nothing but dots means something else to whoever is on the way
        return encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded;
    }

    /** The parameters with a question mark before them, or nothing. */
    static String query(Map<String, List<String>> parameters) {
        StringBuilder text = new StringBuilder();
        parameters.forEach((name, values) -> values.forEach(value ->
                text.append(text.isEmpty() ? '?' : '&').append(name).append('=').append(encoded(value))));
        return text.toString();
    }
}
