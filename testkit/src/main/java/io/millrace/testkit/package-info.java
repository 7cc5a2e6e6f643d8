/**
 * What tests of programs built on Millrace need, for any test framework: {@link io.millrace.testkit.SettableClock}. The
 * contracts of stores and clients are in the module {@code millrace-testkit-contract}.
 */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
