package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** A group that nobody nests would never run, and nobody would notice. */
class ContractShapeTest {
    @Test
    void every_group_is_part_of_a_contract() throws Exception {
        List<Class<?>> nested = Stream.of(TaskStoreContract.class, DurableStoreContract.class)
                .flatMap(contract -> Stream.of(contract.getDeclaredClasses()))
                .<Class<?>>map(Class::getSuperclass)
                .toList();

        assertThat(nested).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(groups());
    }

    /** The mutants name the tests that catch them. */
    @Test
    void no_two_tests_have_the_same_name() throws Exception {
        List<String> tests = groups().stream()
                .flatMap(group -> Stream.of(group.getDeclaredMethods()))
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class))
                .map(Method::getName)
                .toList();

        assertThat(tests).hasSizeGreaterThan(200).doesNotHaveDuplicates();
    }

    private static List<Class<?>> groups() throws Exception {
        Path classes = Path.of(StoreGroup.class.getResource("StoreGroup.class").toURI());
        try (Stream<Path> files = Files.list(classes.getParent())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Contract.class"))
                    .map(name -> name.replace(".class", ""))
                    .<Class<?>>map(ContractShapeTest::load)
                    .filter(type -> StoreGroup.class.isAssignableFrom(type) && Modifier.isAbstract(type.getModifiers()))
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(StoreGroup.class.getPackageName() + "." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
