package io.millrace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a longer list.
 *
 * @param next what to ask the following page with; null on the last
 */
public record Page<T>(List<T> items, @Nullable String next) {}
