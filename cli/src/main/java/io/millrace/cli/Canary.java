package io.millrace.cli;

/** Never used, so never loaded, until {@link LastResort} tries whether classes can still be loaded. */
final class Canary {
    private Canary() {}
}
