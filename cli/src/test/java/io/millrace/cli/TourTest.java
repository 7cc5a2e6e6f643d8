package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The commands of README's tour, run as they stand there. */
class TourTest {
    private static final String HEADING = "## Five minutes with curl";
    private static final String ADDRESS = "http://127.0.0.1:7070";

    @Test
    void the_tour_of_the_readme_works() throws Exception {
        ServerOptions options = ServerOptions.builder().port(0).build();
        try (Millrace millrace = Millrace.open("heap:");
                MillraceServer server = MillraceServer.start(millrace, options)) {
            String tour = block(0).replace(ADDRESS, "http://127.0.0.1:" + server.port());

            assertThat(tour).contains("127.0.0.1:" + server.port());
            Process bash = new ProcessBuilder("bash", "-eu", "-o", "pipefail", "-c", tour)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(bash.waitFor()).as(output).isZero();
            assertThat(output)
                    .contains("\"applied\":true", "\"state\":\"SUCCEEDED\"", "\"sent\"", "\"count\"")
                    .doesNotContain("urn:millrace:problem");
            assertThat(millrace.count(TaskQuery.ALL.state(TaskState.SUCCEEDED)))
                    .singleElement()
                    .satisfies(count -> assertThat(count.count()).isEqualTo(1));
            assertThat(millrace.workers().list()).isEmpty();
        }
    }

    /** @param index 0 is what curl does, 1 the command line */
    static String block(int index) throws IOException {
        String readme = Files.readString(Path.of("../README.md"));
        int begin = readme.indexOf(HEADING);
        assertThat(begin).isPositive();
        for (int i = 0; i <= index; i++) {
            begin = readme.indexOf("```sh\n", begin) + 6;
        }
        return readme.substring(begin, readme.indexOf("\n```", begin));
    }
}
