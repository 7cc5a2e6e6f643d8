/**
 * What stands around a store or a server in tests: {@link io.millrace.testkit.environment.OtherJvm another process} to
 * kill, a {@link io.millrace.testkit.environment.Relay network} to cut and a
 * {@link io.millrace.testkit.environment.SelfSigned certificate}.
 */
@NullMarked
package io.millrace.testkit.environment;

import org.jspecify.annotations.NullMarked;
