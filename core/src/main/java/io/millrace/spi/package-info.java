/**
 * What stores implement. Open {@link io.millrace.spi.TaskStore} first; {@link io.millrace.spi.StoreProvider} is how one
 * is found. The contract is written down as tests in the module {@code millrace-testkit-contract}.
 */
@NullMarked
package io.millrace.spi;

import org.jspecify.annotations.NullMarked;
