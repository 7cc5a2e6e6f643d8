/**
 * Tasks in PostgreSQL or MariaDB, for any number of nodes. {@code SqlStore} is the store, {@code Sql} has all statements,
 * and the tables are in {@code postgresql-1.sql}; {@code docs/sql-store.md} tells how they work together.
 */
@NullMarked
package io.millrace.sql;

import org.jspecify.annotations.NullMarked;
