/** Small things that all of Millrace's own code shares. Not for users. */
@NullMarked
package io.millrace.internal;

import org.jspecify.annotations.NullMarked;
