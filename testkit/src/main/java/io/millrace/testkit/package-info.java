/**
 * What every store has to keep, as tests, and what tests of programs built on Millrace need.
 *
 * <p>Who writes a store opens {@link io.millrace.testkit.TaskStoreContract} first. Who tests a program opens
 * {@link io.millrace.testkit.SettableClock}.
 */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
