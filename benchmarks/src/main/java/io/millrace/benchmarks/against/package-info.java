/** Measures this checkout beside another one. Open {@link io.millrace.benchmarks.against.Against} first. */
@NullMarked
package io.millrace.benchmarks.against;

import org.jspecify.annotations.NullMarked;
