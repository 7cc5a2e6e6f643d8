/**
 * Real database servers for tests and benchmarks, without Docker. Begin with {@link
 * io.millrace.testkit.servers.DatabaseProduct}.
 */
@NullMarked
package io.millrace.testkit.servers;

import org.jspecify.annotations.NullMarked;
