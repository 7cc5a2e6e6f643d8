/**
 * Stores with one fault each, to see that the contract notices. Open {@link io.millrace.testkit.mutants.Mutant} first,
 * which lists them; {@link io.millrace.testkit.mutants.MutantsTest} runs the contract against each.
 */
package io.millrace.testkit.mutants;
