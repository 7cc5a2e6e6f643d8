package io.millrace.sql;

import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.store.DurableStoreContract;
import io.millrace.testkit.store.DurableStoreFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole store contract. */
@Tag("slow")
class MariaDbStoreTest extends DurableStoreContract {
    private static Databases databases;

    @BeforeAll
    static void start() {
        databases = new Databases(DatabaseProduct.MARIADB);
    }

    @AfterAll
    static void stop() {
        databases.close();
    }

    @Override
    protected DurableStoreFixture fixture() {
        return new SqlFixture(databases);
    }
}
