package io.millrace;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Who may know whom. {@code docs/architecture.md} has the picture. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .importUrl(Millrace.class.getProtectionDomain().getCodeSource().getLocation());

    private static final String MODEL = "io.millrace";
    private static final String SPI = "io.millrace.spi";
    private static final String HEAP = "io.millrace.heap";
    private static final String INTERNAL = "io.millrace.internal";
    private static final String LIFE_CYCLE = "io.millrace.internal.lifecycle";
    private static final String ENGINE = "io.millrace.internal.engine";
    private static final String WORKER = "io.millrace.internal.worker";
    private static final String POOL = "io.millrace.internal.pool";
    private static final String QUEUE = "io.millrace.internal.queue";
    private static final String DUMP = "io.millrace.internal.dump";

    /**
     * The doors of the model to what lies behind it: Millrace puts engine and worker together, its options name the
     * clock, a new task gets its id, and a work queue, a dump and a restorer have their inner lives elsewhere.
     */
    private static final Set<String> DOORS = Set.of(
            "io.millrace.Millrace",
            "io.millrace.MillraceOptions",
            "io.millrace.NewTask",
            "io.millrace.WorkQueue",
            "io.millrace.WorkQueueBuilder",
            "io.millrace.Dump",
            "io.millrace.Restorer");

    private static final DescribedPredicate<JavaClass> A_DOOR = DescribedPredicate.describe(
            "a door of the model",
            type -> DOORS.stream()
                    .anyMatch(door ->
                            type.getName().equals(door) || type.getName().startsWith(door + "$")));

    @Test
    void the_model_does_not_know_what_lies_behind_it_but_for_its_doors() {
        noClasses()
                .that(resideInAPackage(MODEL).and(DescribedPredicate.not(A_DOOR)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INTERNAL + "..", HEAP + "..", SPI + "..")
                .check(CORE);
    }

    @Test
    void a_new_task_knows_nothing_internal_but_where_ids_come_from() {
        noClasses()
                .that()
                .haveNameMatching("io\\.millrace\\.NewTask(\\$.*)?")
                .should()
                .dependOnClassesThat(resideInAnyPackage(INTERNAL + "..", SPI + "..")
                        .and(DescribedPredicate.not(JavaClass.Predicates.simpleName("TimeOrderedIds"))))
                .check(CORE);
    }

    @Test
    void the_store_contract_knows_the_model_only() {
        noClasses()
                .that()
                .resideInAPackage(SPI)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INTERNAL + "..", HEAP + "..")
                .check(CORE);
    }

    @Test
    void a_store_knows_neither_engine_nor_worker() {
        noClasses()
                .that()
                .resideInAPackage(HEAP)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ENGINE + "..", WORKER + "..", LIFE_CYCLE + "..")
                .check(CORE);
    }

    @Test
    void the_engine_does_not_know_the_worker_nor_any_store() {
        noClasses()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(WORKER + "..", HEAP + "..")
                .check(CORE);
    }

    @Test
    void in_process_queues_and_dumps_know_nothing_of_tasks_and_their_stores() {
        noClasses()
                .that()
                .resideInAnyPackage(QUEUE, POOL, DUMP)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ENGINE + "..", WORKER + "..", HEAP + "..")
                .check(CORE);
        noClasses()
                .that()
                .resideInAPackage(POOL)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(QUEUE)
                .check(CORE);
    }

    @Test
    void the_life_cycle_asks_nobody() {
        classes()
                .that()
                .resideInAPackage(LIFE_CYCLE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify.annotations", MODEL, SPI, INTERNAL, LIFE_CYCLE)
                .check(CORE);
        noClasses()
                .that()
                .resideInAPackage(LIFE_CYCLE)
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CORE);
    }

    @Test
    void everything_depends_on_the_jdk_slf4j_and_jspecify_only() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.slf4j", "org.jspecify.annotations", "io.millrace..")
                .check(CORE);
    }

    @Test
    void there_are_no_cycles_between_packages_but_through_the_doors() {
        slices().matching("(io.millrace..)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(A_DOOR, DescribedPredicate.alwaysTrue())
                .check(CORE);
    }

    @Test
    void nothing_is_printed_and_logs_go_to_slf4j() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CORE);
        NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(CORE);
    }

    @Test
    void every_package_says_what_it_is_and_that_nothing_is_null() {
        Set<JavaPackage> packages = CORE.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
        assertThat(packages)
                .extracting(JavaPackage::getName)
                .contains(MODEL, SPI, HEAP, INTERNAL, LIFE_CYCLE, ENGINE, WORKER, POOL, QUEUE, DUMP);
        assertThat(packages)
                .allSatisfy(any -> assertThat(any.isAnnotatedWith(NullMarked.class))
                        .as("%s has a package-info with @NullMarked", any.getName())
                        .isTrue());
    }

    @Test
    void what_is_internal_to_a_store_stays_there() {
        classes()
                .that()
                .resideInAPackage(HEAP)
                .and()
                .arePublic()
                .should()
                .haveSimpleName("HeapStore")
                .orShould()
                .haveSimpleName("HeapProvider")
                .orShould()
                .haveSimpleName("HeapRestore")
                .orShould()
                .haveNameMatching("io\\.millrace\\.heap\\.Journal(\\$.*)?")
                .check(CORE);
    }
}
