package io.millrace.testkit;

import io.millrace.heap.HeapStore;

class HeapStoreTest extends TaskStoreContract {
    @Override
    protected StoreFixture fixture() {
        return StoreFixture.of(HeapStore::new);
    }
}
