package io.millrace.sql;

import io.millrace.testkit.DurableStoreContract;
import io.millrace.testkit.DurableStoreFixture;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole store contract. The server need not survive anything here, so it does not wait for the disk. */
class MariaDbStoreTest extends DurableStoreContract {
    private static OwnServer server;

    @BeforeAll
    static void start() {
        server = DatabaseProduct.MARIADB.startOwn("innodb_flush_log_at_trx_commit=0");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected DurableStoreFixture fixture() {
        return new SqlFixture(server);
    }
}
