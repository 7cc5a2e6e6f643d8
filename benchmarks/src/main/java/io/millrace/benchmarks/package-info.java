/**
 * Measures Millrace beside its peers. Open {@link io.millrace.benchmarks.Bench} first; each benchmark is one class, and
 * whatever is compared is measured in the same run, in rounds that take turns.
 */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
