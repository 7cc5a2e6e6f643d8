package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.StoreUnavailableException;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings in the URL, and databases that cannot be reached by it. */
class SqlUrlTest {
    private static final Duration BOUND = Duration.ofSeconds(15);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "a'",
                "a\"b",
                "a`",
                "Acme_",
                "a;drop",
                "1a",
                "a.b.c",
                ".a",
                "aaaaaaaaaabbbbbbbbbbccccccccccd"
            })
    void names_of_tables_are_checked(String value) {
        assertThatThrownBy(() -> Millrace.open("jdbc:postgresql://127.0.0.1:1/x?millraceTables=" + value))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("millraceTables");
        assertThatThrownBy(() -> SqlSchema.mariadb(value)).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @CsvSource({"millraceConnections,0", "millraceConnections,x", "millraceConnections,-3", "millraceTable,a_"})
    void settings_are_checked(String name, String value) {
        assertThatThrownBy(() -> Millrace.open("jdbc:mariadb://127.0.0.1:1/x?user=u&" + name + "=" + value))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value);
    }

    @Test
    void the_driver_gets_its_own_settings_only() {
        SqlUrl url = SqlUrl.parse("jdbc:mariadb://host/x?user=u&millraceTables=a_&millraceConnections=7&password=p");
        assertThat(url.jdbc())
                .startsWith("jdbc:mariadb://host/x?user=u&password=p&")
                .doesNotContain("millrace");
        assertThat(url.tables()).isEqualTo("a_");
        assertThat(url.connections()).isEqualTo(7);
    }

    @Test
    void what_is_set_for_sessions_is_kept() {
        String own = "sessionVariables=in_predicate_conversion_threshold=0,innodb_lock_wait_timeout=5,"
                + "idle_transaction_timeout=10,net_read_timeout=10,net_write_timeout=10";
        assertThat(SqlUrl.parse("jdbc:mariadb://host/x?SessionVariables=a=1,b=2&user=u&sessionVariables=c=3")
                        .jdbc())
                .startsWith("jdbc:mariadb://host/x?user=u&")
                .endsWith("&" + own + ",a=1,b=2,c=3");
        assertThat(SqlUrl.parse("jdbc:mariadb://host/x?user=u").jdbc()).endsWith("&" + own);
        assertThat(SqlUrl.parse("jdbc:postgresql://host/x?user=u").jdbc()).doesNotContain("sessionVariables");
    }

    @Test
    void there_are_time_limits_unless_others_are_set() {
        assertThat(SqlUrl.parse("jdbc:mariadb://host/x?millraceTables=acme.a_").jdbc())
                .startsWith(
                        "jdbc:mariadb://host/x?connectTimeout=5000&socketTimeout=30000&tcpKeepAlive=true&deniedListTimeout=5000&");
        assertThat(SqlUrl.parse("jdbc:postgresql://host/x?socketTimeout=7").jdbc())
                .isEqualTo(
                        "jdbc:postgresql://host/x?socketTimeout=7&connectTimeout=5&tcpKeepAlive=true&hostRecheckSeconds=5");
        assertThat(SqlUrl.parse("jdbc:mariadb://host/x?sockettimeout=7&TcpKeepAlive=false")
                        .jdbc())
                .startsWith("jdbc:mariadb://host/x?sockettimeout=7&TcpKeepAlive=false&connectTimeout=5000&");
        assertThat(SqlUrl.parse("jdbc:postgresql://host/x").jdbc())
                .isEqualTo(
                        "jdbc:postgresql://host/x?connectTimeout=5&socketTimeout=30&tcpKeepAlive=true&hostRecheckSeconds=5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb"})
    void a_server_that_is_not_there_is_unavailable(String product) {
        checkUnavailable("jdbc:" + product + "://127.0.0.1:1/x?user=u&password=Secret1");
    }

    @ParameterizedTest
    @EnumSource
    void a_wrong_password_is_not_told(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase()) {
            checkUnavailable(database.url().replaceFirst("password=[^&]*", "password=Secret1"));
        }
    }

    private static void checkUnavailable(String url) {
        long start = System.nanoTime();
        assertThatThrownBy(() -> Millrace.open(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageNotContaining("Secret1")
                .satisfies(e -> {
                    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                        assertThat(String.valueOf(cause.getMessage())).doesNotContain("Secret1");
                    }
                });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BOUND);
    }

    @Test
    void a_clock_that_tests_set_is_refused() {
        SqlProvider provider = new SqlProvider();
        for (String url : List.of("jdbc:postgresql://localhost/x", "jdbc:mariadb://localhost/x")) {
            assertThatThrownBy(() -> provider.open(url, new SettableClock()))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("clock")
                    .hasMessageContaining("use heap: or embedded:");
        }
    }
}
