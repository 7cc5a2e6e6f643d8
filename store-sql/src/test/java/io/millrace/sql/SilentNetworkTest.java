package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.environment.Relay;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing comes through to the database any more, nor back, and no connection breaks; later all that was sent arrives. */
@Tag("slow")
class SilentNetworkTest {
    private static final Pattern ADDRESS = Pattern.compile("//[^:/]+:(\\d+)/");

    private volatile CountDownLatch silence = new CountDownLatch(0);

    static int port(String url) {
        Matcher address = ADDRESS.matcher(url);
        assertThat(address.find()).isTrue();
        return Integer.parseInt(address.group(1));
    }

    /** The same database through the relay. */
    static String through(Relay relay, String url) {
        return ADDRESS.matcher(url).replaceFirst("//127.0.0.1:" + relay.port() + "/");
    }

    private boolean passes(boolean toServer, byte[] bytes, int size) throws InterruptedException {
        silence.await();
        return true;
    }

    @ParameterizedTest
    @EnumSource
    void callers_are_told_in_time_and_the_node_goes_on_when_it_is_over(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Relay relay = new Relay(port(database.url()), this::passes);
                SteadyCaller caller = new SteadyCaller(through(relay, database.url()) + "&socketTimeout="
                        + (product == DatabaseProduct.POSTGRES ? 2 : 2_000))) {
            caller.awaitProgress();
            silence = new CountDownLatch(1);
            caller.awaitFailure();
            silence.countDown();
            caller.awaitProgress();
            caller.endAndCheck();
        } finally {
            silence.countDown();
        }
    }
}
