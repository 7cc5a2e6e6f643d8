/**
 * What a queue in a database is measured beside: bare statements, db-scheduler and JobRunr, all behind {@link
 * io.millrace.benchmarks.sql.SqlQueue}.
 */
@NullMarked
package io.millrace.benchmarks.sql;

import org.jspecify.annotations.NullMarked;
