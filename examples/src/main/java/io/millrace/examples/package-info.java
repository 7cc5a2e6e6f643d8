/** Programs to read and to run. Each has a {@code main} and is run by a test in every build. */
@NullMarked
package io.millrace.examples;

import org.jspecify.annotations.NullMarked;
