package io.millrace.server;

import io.millrace.Topic;
import io.millrace.wire.JsonOut;
import io.millrace.wire.TopicForm;
import io.millrace.wire.TopicView;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes topics in the order of their names: all of them, or a page that says where the next one begins. */
final class TopicList implements PartStream.Source {
    /** Topics are counted when the first part is asked for, on a thread that may wait. */
    private final Supplier<Iterator<Topic>> counted;

    private final Rates rates;
    private final int most;
    private final JsonOut out = new JsonOut().startObject().startArray("topics");
    private @Nullable Iterator<Topic> topics;
    private String last = "";
    private int written;

    TopicList(Supplier<Iterator<Topic>> counted, Rates rates, int most) {
        this.counted = counted;
        this.rates = rates;
        this.most = most;
    }

    @Override
    public boolean writePart() {
        if (topics == null) {
            topics = counted.get();
        }
        while (topics.hasNext() && written < most) {
            if (PartStream.isFull(out)) {
                return false;
            }
            Topic topic = topics.next();
            TopicForm.write(new TopicView(topic, rates.of(topic.name())), out);
            last = topic.name();
            written++;
        }
        out.endArray();
        if (topics.hasNext()) {
            out.field("next", cursor(last));
        }
        out.endObject();
        return true;
    }

    @Override
    public byte[] takeBytes() {
        return out.takeBytes();
    }

    private static String cursor(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The name behind which a page begins.
     *
     * @throws IllegalArgumentException if it is no cursor
     */
    static String parse(String cursor) {
        return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    }
}
