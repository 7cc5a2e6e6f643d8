package io.millrace.client;

import io.millrace.MillraceOptions;
import io.millrace.testkit.client.MillraceContract;
import io.millrace.testkit.client.MillraceFixture;

/** A client does what an engine in the same process does. */
class HttpMillraceTest extends MillraceContract {
    @Override
    protected MillraceFixture fixture(MillraceOptions options) {
        return new ServedMillrace("heap:", options);
    }
}
