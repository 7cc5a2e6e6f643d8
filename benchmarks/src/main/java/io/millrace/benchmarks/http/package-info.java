/** Servers in processes of their own, and a cheap load for them. */
@NullMarked
package io.millrace.benchmarks.http;

import org.jspecify.annotations.NullMarked;
