package io.millrace.server;

import io.vertx.core.http.HttpMethod;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * One thing that can be asked.
 *
 * @param path such as {@code /v1/tasks/{id}}
 * @param roles who may, beside an admin; anybody if open
 */
record Route(HttpMethod method, String path, boolean isOpen, Set<Role> roles, Handler handler) {
    interface Handler {
        void handle(Exchange exchange);
    }

    static Route open(HttpMethod method, String path, Handler handler) {
        return new Route(method, path, true, Set.of(), handler);
    }

    static Route of(HttpMethod method, String path, Handler handler, Role... roles) {
        return new Route(method, path, false, Set.of(roles), handler);
    }

    List<String> segments() {
        return Arrays.asList(path.split("/", -1));
    }

    static boolean isVariable(String segment) {
        return segment.startsWith("{");
    }
}
