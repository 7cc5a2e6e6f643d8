/**
 * What every store has to keep, as tests. Who writes a store opens {@link io.millrace.testkit.store.TaskStoreContract}
 * first.
 */
@NullMarked
package io.millrace.testkit.store;

import org.jspecify.annotations.NullMarked;
