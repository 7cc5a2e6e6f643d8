/**
 * Items on disk: how a dump writes them and how a restorer gives them back. Open
 * {@link io.millrace.internal.dump.DumpFormat} first, then {@link io.millrace.internal.dump.DumpWriter} and
 * {@link io.millrace.internal.dump.DirectoryRestore}.
 */
@NullMarked
package io.millrace.internal.dump;

import org.jspecify.annotations.NullMarked;
