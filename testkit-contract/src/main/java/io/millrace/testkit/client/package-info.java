/**
 * What users call, as tests: a {@link io.millrace.Millrace} has to do the same whether its engine is in this process or
 * behind a server. Open {@link io.millrace.testkit.client.MillraceContract} first.
 */
@NullMarked
package io.millrace.testkit.client;

import org.jspecify.annotations.NullMarked;
