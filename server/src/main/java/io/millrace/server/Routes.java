package io.millrace.server;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The map of the API. A part of a path is decoded after the path has been split, so that a topic's name may have a slash
 * ({@code %2F}) in it.
 */
final class Routes {
    private final List<Route> all;
    /** Paths without variables, which most requests have. */
    private final Map<String, Map<HttpMethod, Route>> plain = new HashMap<>();

    private final List<Pattern> patterns = new ArrayList<>();

    /** A path with variables, and what can be done there. */
    private record Pattern(List<String> segments, Map<HttpMethod, Route> methods) {
        @Nullable
        Map<String, String> match(List<String> path) {
            if (path.size() != segments.size()) {
                return null;
            }
            Map<String, String> values = new HashMap<>();
            for (int i = 0; i < path.size(); i++) {
                String segment = segments.get(i);
                if (Route.isVariable(segment)) {
                    values.put(segment.substring(1, segment.length() - 1), path.get(i));
                } else if (!segment.equals(path.get(i))) {
                    return null;
                }
            }
            return values;
        }
    }

    record Match(Route route, Map<String, String> values) {}

    private Routes(List<Route> all) {
        this.all = all;
        Map<String, Pattern> byPath = new LinkedHashMap<>();
        for (Route route : all) {
            if (route.segments().stream().anyMatch(Route::isVariable)) {
                byPath.computeIfAbsent(route.path(), any -> new Pattern(route.segments(), new HashMap<>()))
                        .methods
                        .put(route.method(), route);
            } else {
                plain.computeIfAbsent(route.path(), any -> new HashMap<>()).put(route.method(), route);
            }
        }
        patterns.addAll(byPath.values());
    }

    static Routes over(Service service) {
        EnqueueApi enqueue = new EnqueueApi(service);
        WorkApi work = new WorkApi(service);
        OutcomeApi outcomes = new OutcomeApi(service);
        TaskApi tasks = new TaskApi(service);
        ListApi lists = new ListApi(service);
        ManageApi manage = new ManageApi(service);
        TopicApi topics = new TopicApi(service);
        InfoApi info = new InfoApi(service);
        return new Routes(List.of(
                Route.of(POST, "/v1/tasks", enqueue::enqueue, Role.PRODUCER),
                Route.of(GET, "/v1/tasks", lists::list, Role.VIEWER),
                Route.of(GET, "/v1/tasks/summary", lists::summary, Role.VIEWER),
                Route.of(GET, "/v1/tasks/count", manage::count, Role.VIEWER),
                Route.of(DELETE, "/v1/tasks", manage::deleteMatching),
                Route.of(DELETE, "/v1/tasks/{id}", manage::delete),
                Route.of(POST, "/v1/tasks/{id}/cancel", manage::cancel),
                Route.of(POST, "/v1/tasks/{id}/retry", manage::retry),
                Route.of(POST, "/v1/tasks/{id}/reschedule", manage::reschedule),
                Route.of(GET, "/v1/tasks/{id}", tasks::get, Role.VIEWER, Role.PRODUCER, Role.WORKER),
                Route.of(POST, "/v1/workers", work::register, Role.WORKER),
                Route.of(POST, "/v1/workers/{id}/ping", work::ping, Role.WORKER),
                Route.of(POST, "/v1/workers/{id}/claim", work::claim, Role.WORKER),
                Route.of(POST, "/v1/workers/{id}/outcomes", outcomes::report, Role.WORKER),
                Route.of(POST, "/v1/workers/{id}/progress", work::progress, Role.WORKER),
                Route.of(DELETE, "/v1/workers/{id}", work::leave, Role.WORKER),
                Route.of(GET, "/v1/workers", work::list, Role.VIEWER),
                Route.of(POST, "/v1/workers/{id}/stop", work::stop),
                Route.of(GET, "/v1/topics", topics::list, Role.VIEWER),
                Route.of(GET, "/v1/topics/{topic}", topics::get, Role.VIEWER),
                Route.of(PUT, "/v1/topics/{topic}", topics::put),
                Route.of(DELETE, "/v1/topics/{topic}", topics::delete),
                Route.of(POST, "/v1/topics/{topic}/pause", topics::pause),
                Route.of(POST, "/v1/topics/{topic}/resume", topics::resume),
                Route.of(POST, "/v1/topics/{topic}/redrive", topics::redrive),
                Route.of(GET, "/v1/events", service.events()::stream, Role.VIEWER),
                Route.of(GET, "/metrics", info::metrics, Role.VIEWER),
                Route.open(GET, "/health/live", info::live),
                Route.open(GET, "/health/ready", info::ready),
                Route.open(GET, "/openapi.json", info::openApi),
                Route.open(GET, "/", info::page)));
    }

    List<Route> all() {
        return all;
    }

    /** @throws ProblemException 404 or 405 */
    Match find(HttpMethod method, @Nullable String path) {
        String asked = path == null ? "" : path;
        Map<HttpMethod, Route> methods = plain.get(asked);
        if (methods != null) {
            return new Match(choose(methods, method), Map.of());
        }
        List<String> segments = new ArrayList<>();
        for (String segment : asked.split("/", -1)) {
            segments.add(UrlText.decode(segment, false));
        }
        for (Pattern pattern : patterns) {
            Map<String, String> values = pattern.match(segments);
            if (values != null) {
                return new Match(choose(pattern.methods, method), values);
            }
        }
        throw Problems.notFound("there is nothing at " + asked);
    }

    /** Load balancers like to ask without a body. */
    private static boolean isProbe(@Nullable Route route) {
        return route != null && route.isOpen();
    }

    private static Route choose(Map<HttpMethod, Route> methods, HttpMethod method) {
        Route route = methods.get(method);
        if (route == null && method.equals(HttpMethod.HEAD) && isProbe(methods.get(GET))) {
            route = methods.get(GET);
        }
        if (route == null) {
            TreeSet<String> allowed = new TreeSet<>();
            methods.keySet().forEach(known -> allowed.add(known.name()));
            throw Problems.wrongMethod(String.join(", ", allowed));
        }
        return route;
    }
}
