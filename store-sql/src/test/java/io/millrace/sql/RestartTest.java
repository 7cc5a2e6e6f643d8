package io.millrace.sql;

import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database is killed and comes again while a node works. */
@Tag("slow")
class RestartTest {
    @ParameterizedTest
    @EnumSource
    void a_node_goes_on_by_itself_when_the_database_is_back(DatabaseProduct product) throws Exception {
        try (OwnServer server = product.startOwn();
                TestDatabase database = server.newDatabase();
                SteadyCaller caller = new SteadyCaller(database.url())) {
            for (int round = 0; round < 2; round++) {
                caller.awaitProgress();
                server.kill();
                caller.awaitFailure();
                server.start();
            }
            caller.awaitProgress();
            caller.endAndCheck();
        }
    }
}
