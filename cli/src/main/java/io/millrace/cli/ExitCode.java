package io.millrace.cli;

/** How commands end. Scripts rely on these; {@code docs/cli.md} lists them. */
final class ExitCode {
    static final int OK = 0;
    /** It was not done, or what was asked for is not there. */
    static final int FAILED = 1;
    /** A bad flag, argument or setting; nothing was done. */
    static final int USAGE = 2;
    /** Nobody answers there. */
    static final int UNREACHABLE = 3;

    private ExitCode() {}
}
