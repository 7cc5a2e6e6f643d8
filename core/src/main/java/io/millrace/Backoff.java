package io.millrace;

/** How the delay grows from retry to retry. With base b, the n-th retry (from 1) comes after: */
public enum Backoff {
    /** b, b, b, … */
    CONSTANT,
    /** b, 2b, 3b, … */
    LINEAR,
    /** b, 2b, 4b, 8b, … */
    EXPONENTIAL,
    /** b, 4b, 9b, … */
    QUADRATIC,
    /** b, 8b, 27b, … */
    POLYNOMIAL,
    /** b, 1.58b, 2b, …: b · log₂(n + 1) */
    LOGARITHMIC,
    /** b, b, 2b, 3b, 5b, … */
    FIBONACCI,
    /** anything between 0 and 2b, so b on average */
    RANDOM
}
