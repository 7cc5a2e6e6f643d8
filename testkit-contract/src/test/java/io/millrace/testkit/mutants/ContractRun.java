package io.millrace.testkit.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.millrace.testkit.store.TaskStoreContract;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs a contract, or a group of it, inside of a test, and tells what failed. */
final class ContractRun implements TestExecutionListener {
    private final Set<String> failed = new TreeSet<>();
    private int succeeded;

    private ContractRun() {}

    static ContractRun ofAll(Class<? extends TaskStoreContract> contract) {
        return run(selectClass(contract), Map.of());
    }

    /** Runs the group of tests that this one belongs to: the others of the contract would only take time. */
    static ContractRun ofGroupWith(String test, Class<? extends TaskStoreContract> contract) {
        return ofGroupWith(test, contract, Map.of());
    }

    static ContractRun ofGroupWith(
            String test, Class<? extends TaskStoreContract> contract, Map<String, String> parameters) {
        Class<?> group = groups(contract)
                .filter(candidate -> Stream.of(candidate.getSuperclass().getDeclaredMethods())
                        .anyMatch(method -> method.getName().equals(test)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the contract has no test " + test));
        return run(selectNestedClass(List.of(contract), group), parameters);
    }

    private static Stream<Class<?>> groups(Class<?> contract) {
        return Stream.<Class<?>>iterate(contract, type -> type != Object.class, Class::getSuperclass)
                .flatMap(type -> Stream.of(type.getDeclaredClasses()))
                .filter(type -> type.getEnclosingClass() != contract);
    }

    private static ContractRun run(DiscoverySelector tests, Map<String, String> parameters) {
        LauncherDiscoveryRequest request = request()
                .selectors(tests)
                .configurationParameters(parameters)
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        ContractRun run = new ContractRun();
        LauncherFactory.create().execute(request, run);
        return run;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            failed.add(nameOf(test));
        } else if (test.isTest()) {
            succeeded++;
        }
    }

    private static String nameOf(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse(test.getDisplayName());
    }

    /** The names of the test methods. */
    Set<String> failed() {
        return failed;
    }

    int succeeded() {
        return succeeded;
    }
}
