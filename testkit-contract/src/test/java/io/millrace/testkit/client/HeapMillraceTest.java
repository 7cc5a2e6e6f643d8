package io.millrace.testkit.client;

import io.millrace.MillraceOptions;

class HeapMillraceTest extends MillraceContract {
    @Override
    protected MillraceFixture fixture(MillraceOptions options) {
        return MillraceFixture.local("heap:", options);
    }
}
