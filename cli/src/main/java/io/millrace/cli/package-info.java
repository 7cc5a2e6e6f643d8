/**
 * The command line. {@link io.millrace.cli.Main} puts the commands together, one class each; {@code Setting} is the table of
 * all that a server can be told, by flag, environment or file.
 */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
