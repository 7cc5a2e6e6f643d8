package io.millrace.testkit.client;

class HeapMillraceTest extends MillraceContract {
    @Override
    protected MillraceFixture fixture() {
        return MillraceFixture.local("heap:");
    }
}
