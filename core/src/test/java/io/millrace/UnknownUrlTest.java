package io.millrace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The core alone has no store but the heap; what it says about the others. */
class UnknownUrlTest {
    private static AbstractThrowableAssert<?, ? extends Throwable> opening(String url) {
        return assertThatThrownBy(() -> Millrace.open(url).close()).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "embedded:./data, millrace-store-embedded",
        "jdbc:postgresql://host/db, millrace-store-sql",
        "jdbc:mariadb://host/db, millrace-store-sql",
        "http://127.0.0.1:7070, millrace-client",
        "HTTPS://example.org, millrace-client"
    })
    void a_store_whose_module_is_missing_names_the_module(String url, String module) {
        opening(url).hasMessageContainingAll(url, "add " + module);
    }

    @ParameterizedTest
    @CsvSource({
        "./data, embedded:./data",
        "data, embedded:data",
        "/var/lib/millrace, embedded:/var/lib/millrace",
        "C:\\data, embedded:C:\\data",
        "localhost:7070, http://localhost:7070",
        "127.0.0.1:7070/queue, http://127.0.0.1:7070/queue"
    })
    void a_url_without_a_scheme_gets_the_one_that_was_meant(String url, String hint) {
        opening(url).hasMessageContainingAll("\"" + url + "\"", "did you mean " + hint + "?");
    }

    @ParameterizedTest
    @CsvSource({"nosuch:x", "jdbc:oracle:thin:@host", "Embedded:./data"})
    void any_other_url_is_answered_with_those_that_there_are(String url) {
        opening(url)
                .hasMessageContainingAll(
                        "heap:", "embedded:DIRECTORY", "jdbc:postgresql:", "jdbc:mariadb:", "http://", "https://");
    }

    @Test
    void a_password_is_not_repeated() {
        opening("jdbc:postgresql://host/db?user=me&password=hunter2").hasMessageNotContaining("hunter2");
    }
}
