package io.millrace.client;

import io.millrace.MillraceOptions;
import io.millrace.testkit.client.MillraceContract;
import io.millrace.testkit.client.MillraceFixture;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same over a store that others share. */
@Tag("slow")
class SqlHttpMillraceTest extends MillraceContract {
    private static OwnServer postgres;

    /** It need not survive anything, so it does not wait for the disk. */
    @BeforeAll
    static void start() {
        postgres = DatabaseProduct.POSTGRES.startOwn("fsync=off", "full_page_writes=off");
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @Override
    protected MillraceFixture fixture(MillraceOptions options) {
        TestDatabase database = postgres.newDatabase();
        return new ServedMillrace(database.url(), options, database::close);
    }
}
