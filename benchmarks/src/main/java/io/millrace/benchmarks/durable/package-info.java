/**
 * What a durable queue is measured beside: a bare log, SQLite and RocksDB, all behind {@link
 * io.millrace.benchmarks.durable.DurableLog}.
 */
@NullMarked
package io.millrace.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
