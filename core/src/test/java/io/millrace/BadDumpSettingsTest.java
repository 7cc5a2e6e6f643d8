package io.millrace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings of dumps and restorers. Nothing is built, so that no directory appears. */
class BadDumpSettingsTest {
    private static final Path NOWHERE = Path.of("target", "no-such-dump");
    private static final String REQUIRED = "it is required";

    @ParameterizedTest
    @MethodSource({"dumps", "restorers"})
    void is_refused_by_name(BadInput input) {
        input.assertRefused();
    }

    static Stream<BadInput> dumps() {
        return Stream.of(
                new BadInput("no directory", () -> Dump.builder(null, String.class), "directory", "null", REQUIRED),
                new BadInput("no type", () -> Dump.builder(NOWHERE, null), "type", "null", REQUIRED),
                dump(builder -> builder.codec(null), "codec", "null", REQUIRED),
                dump(builder -> builder.flushBytes(0), "flushBytes", "0", "between 1 and 268435456"),
                dump(builder -> builder.flushBytes(Integer.MAX_VALUE), "flushBytes", "2147483647", "and 268435456"),
                dump(builder -> builder.flushEvery(null), "flushEvery", "null", REQUIRED),
                dump(builder -> builder.flushEvery(Duration.ZERO), "flushEvery", "PT0S", "1 millisecond"),
                dump(builder -> builder.fileBytes(0), "fileBytes", "0", "it must be at least 1"),
                dump(builder -> builder.fileEvery(Duration.ZERO), "fileEvery", "PT0S", "1 millisecond"),
                dump(builder -> builder.clock(null), "clock", "null", REQUIRED));
    }

    static Stream<BadInput> restorers() {
        String rates = "it must be above 0 and at most 1";
        return Stream.of(
                new BadInput("no directory", () -> Restorer.builder(null, String.class), "directory", "null", REQUIRED),
                new BadInput("no type", () -> Restorer.builder(NOWHERE, null), "type", "null", REQUIRED),
                restorer(builder -> builder, "into", "null", REQUIRED),
                restorer(builder -> builder.into(null, () -> 0), "into", "null", REQUIRED),
                restorer(builder -> builder.into(item -> {}, null), "fillRate", "null", REQUIRED),
                restorer(builder -> builder.allowedRate(0), "allowedRate", "0.0", rates),
                restorer(builder -> builder.allowedRate(1.01), "allowedRate", "1.01", rates),
                restorer(builder -> builder.allowedRate(Double.NaN), "allowedRate", "NaN", rates),
                restorer(builder -> builder.checkEvery(Duration.ZERO), "checkEvery", "PT0S", "1 millisecond"),
                restorer(builder -> builder.codec(null), "codec", "null", REQUIRED),
                restorer(builder -> builder.onDamage(null), "onDamage", "null", REQUIRED),
                restorer(builder -> builder.clock(null), "clock", "null", REQUIRED));
    }

    @Test
    void a_codec_must_be_set_or_on_the_class_path(@TempDir Path directory) {
        assertThatThrownBy(() -> Dump.builder(directory, String.class).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("add the module millrace-json, or set one in Dump.builder");
        assertThatThrownBy(() -> Restorer.builder(directory, String.class)
                        .into(item -> {}, () -> 0)
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("add the module millrace-json, or set one in Restorer.builder");
    }

    @Test
    void an_item_must_be_there(@TempDir Path directory) {
        try (Dump<String> dump = new DumpDirectory(directory).dump().build()) {
            new BadInput("no item", () -> dump.put(null), "item", "null", REQUIRED).assertRefused();
        }
    }

    private static BadInput dump(
            UnaryOperator<Dump.Builder<String>> setting, String field, String value, String allowed) {
        return new BadInput(
                "dump with " + field + " " + value,
                () -> setting.apply(Dump.builder(NOWHERE, String.class)),
                field,
                value,
                allowed);
    }

    private static BadInput restorer(
            UnaryOperator<Restorer.Builder<String>> setting, String field, String value, String allowed) {
        return new BadInput(
                "restorer with " + field + " " + value,
                () -> setting.apply(Restorer.builder(NOWHERE, String.class)).build(),
                field,
                value,
                allowed);
    }
}
