package io.millrace.server;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.Millrace;
import io.millrace.Topic;
import io.millrace.TopicPolicy;
import io.millrace.server.Access.Caller;
import io.millrace.wire.CountForm;
import io.millrace.wire.PolicyForm;
import io.millrace.wire.TopicForm;
import io.millrace.wire.TopicView;
import java.util.function.Consumer;

/** Topics and their policies. */
final class TopicApi {
    private final Service service;
    private final Millrace millrace;

    TopicApi(Service service) {
        this.service = service;
        millrace = service.millrace();
    }

    void list(Exchange exchange) {
        Parameters parameters = exchange.parameters("limit", "cursor");
        int limit = parameters.number("limit", 1, Limits.PAGE, 0);
        String after = parameters.value("cursor", TopicApi::cursor, "");
        parameters.check();
        boolean isPage = limit > 0 || !after.isEmpty();
        TopicList list = new TopicList(
                () -> service.local().topics(after, exchange.caller()::mayUse, exchange::isWanted),
                service.rates(),
                limit > 0 ? limit : isPage ? Limits.PAGE : Integer.MAX_VALUE);
        new PartStream(exchange, Exchange.JSON, list).start();
    }

    private static String cursor(String text) {
        try {
            return Limits.topic("cursor", TopicList.parse(text));
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("cursor", text, "it must be the next of an earlier page");
        }
    }

    private TopicView view(Topic topic) {
        return new TopicView(topic, service.rates().of(topic.name()));
    }

    void get(Exchange exchange) {
        exchange.parameters();
        String topic = topic(exchange);
        exchange.blocking(() -> TopicForm.write(view(millrace.topics().get(topic))), body -> exchange.json(200, body));
    }

    /** A name that is not allowed is bad input, not a topic that happens to be missing. */
    private static String topic(Exchange exchange) {
        String topic;
        try {
            topic = Limits.topic("topic", exchange.pathValue("topic"));
        } catch (InvalidValueException e) {
            throw Problems.badParameter(e.field(), String.valueOf(e.getMessage()));
        }
        exchange.caller().checkTopic(topic);
        return topic;
    }

    void put(Exchange exchange) {
        exchange.parameters();
        String topic = topic(exchange);
        exchange.body(bytes -> {
            TopicPolicy policy = PolicyForm.read(bytes);
            exchange.blocking(
                    () -> {
                        checkDeadLetter(exchange.caller(), topic, policy);
                        millrace.topics().setPolicy(topic, policy);
                        return TopicForm.write(view(millrace.topics().get(topic)));
                    },
                    body -> exchange.json(200, body));
        });
    }

    /** Dead letters go where the caller may enqueue, or where they have gone before. */
    private void checkDeadLetter(Caller caller, String topic, TopicPolicy policy) {
        String deadLetter = policy.deadLetter();
        if (deadLetter != null
                && !deadLetter.equals(service.local().policy(topic).deadLetter())) {
            caller.checkTopic(deadLetter);
        }
    }

    void delete(Exchange exchange) {
        change(exchange, topic -> millrace.topics().removePolicy(topic));
    }

    void pause(Exchange exchange) {
        exchange.noBody(() -> change(exchange, topic -> millrace.topics().pause(topic)));
    }

    void resume(Exchange exchange) {
        exchange.noBody(() -> change(exchange, topic -> millrace.topics().resume(topic)));
    }

    private static void change(Exchange exchange, Consumer<String> change) {
        exchange.parameters();
        String topic = topic(exchange);
        exchange.blocking(
                () -> {
                    change.accept(topic);
                    return true;
                },
                done -> exchange.noContent());
    }

    void redrive(Exchange exchange) {
        exchange.parameters();
        String topic = topic(exchange);
        exchange.noBody(() -> exchange.blocking(
                () -> service.local().redrive(topic, exchange.caller()::mayUse),
                count -> exchange.json(200, CountForm.write("redriven", count))));
    }
}
