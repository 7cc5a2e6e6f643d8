package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of README's tour that use the command line, without anything that not everybody has. */
class TourIT {
    private static final List<String> NOT_EVERYWHERE = List.of("jq", "python", "python3", "node", "perl");

    @TempDir
    private Path directory;

    @Test
    void the_tour_of_the_command_line_needs_nothing_but_a_jdk() throws Exception {
        String tour = TourTest.block(1);
        assertThat(tour).contains("./millrace work", "./millrace enqueue", "./millrace top ");
        try (JarProcess server = JarProcess.serve("heap:")) {
            String url = server.address();
            ProcessBuilder builder = new ProcessBuilder(
                            "bash",
                            "-eu",
                            "-o",
                            "pipefail",
                            "-c",
                            tour.replace("./millrace top ", "./millrace top --once ") + "\nwait")
                    .directory(Path.of("..").toFile())
                    .redirectErrorStream(true);
            Map<String, String> environment = builder.environment();
            environment.put("MILLRACE_URL", url);
            environment.put("MILLRACE_JAR", JarProcess.JAR.toString());
            environment.put("JAVA_HOME", System.getProperty("java.home"));
            environment.put("PATH", withoutExtras() + ":" + environment.get("PATH"));

            Process bash = builder.start();
            String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(bash.waitFor()).as(output).isZero();
            assertThat(Http.get(url + "/v1/tasks"))
                    .as(output)
                    .contains("\"SUCCEEDED\"", "A@EXAMPLE.ORG")
                    .doesNotContain("\"FAILED\"");
        }
    }

    private Path withoutExtras() throws IOException {
        for (String name : NOT_EVERYWHERE) {
            Path missing = Files.writeString(
                    directory.resolve(name), "#!/bin/sh\necho \"" + name + ": not found\" >&2\nexit 127\n");
            Files.setPosixFilePermissions(missing, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return directory;
    }
}
