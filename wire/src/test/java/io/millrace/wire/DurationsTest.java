package io.millrace.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "250ms, PT0.25S, 250ms",
        "30s, PT30S, 30s",
        "5m, PT5M, 5m",
        "1h, PT1H, 1h",
        "7d, PT168H, 7d",
        "PT30S, PT30S, 30s",
        "P1D, PT24H, 1d",
        "0s, PT0S, 0s",
        "90s, PT1M30S, 90s",
        "1500ms, PT1.5S, 1500ms",
        "100000000000d, PT2400000000000H, 100000000000d",
    })
    void a_duration_is_read_and_written(String text, Duration meant, String written) {
        assertThat(Durations.parse(text)).isEqualTo(meant);
        assertThat(Durations.format(meant)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "s",
                "5 s",
                "5S",
                "-5s",
                "1.5s",
                "5s5",
                "1w",
                "P",
                "9999999999999999s",
                "9999999999999d",
                "٣s"
            })
    void anything_else_is_none(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(WireException.class);
    }
}
