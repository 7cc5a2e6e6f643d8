package io.millrace;

import java.nio.file.Path;

/**
 * A part of a dump file that could not be given back.
 *
 * @param file by the name that it had when it was read
 * @param offset where the part begins
 * @param bytes how long it is; 0 if the file may still be read later
 * @param what what is wrong
 */
public record Damage(Path file, long offset, long bytes, String what) {}
