package io.millrace.testkit.store;

import io.millrace.heap.HeapStore;

class HeapStoreTest extends TaskStoreContract {
    @Override
    protected StoreFixture fixture() {
        return StoreFixture.of(HeapStore::new);
    }
}
