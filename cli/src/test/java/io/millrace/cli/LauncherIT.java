package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script ./millrace, in a checkout where {@code mvn} only says that it was called. */
class LauncherIT {
    private static final String BUILT = "mvn was called";

    @TempDir
    private Path checkout;

    private Path jar = Path.of("");

    @BeforeEach
    void checkOut() throws IOException {
        Files.copy(Path.of("../millrace"), checkout.resolve("millrace"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        Path bin = Files.createDirectory(checkout.resolve("bin"));
        Path mvn = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\necho " + BUILT + "\nexit 1\n");
        Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
        jar = Files.createDirectories(checkout.resolve("cli/target")).resolve("millrace.jar");
        Files.copy(JarProcess.JAR, jar);
    }

    private JarProcess launch(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(checkout.resolve("millrace").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("PATH", checkout.resolve("bin") + ":" + environment.get("PATH"));
        environment.remove("MILLRACE_JAR");
        return JarProcess.of(builder);
    }

    private void changeSources() throws IOException {
        Path source = Files.createDirectories(checkout.resolve("core/src/main")).resolve("Changed.java");
        Files.writeString(source, "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        Files.writeString(checkout.resolve("core/pom.xml"), "<project/>");
    }

    private List<Path> jarsIn(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar") && !file.equals(jar))
                    .toList();
        }
    }

    @Test
    void a_server_that_has_no_memory_left_exits() throws Exception {
        try (JarProcess server = launch("serve", "--port", "0", "--store", "heap:")) {
            var unused = server.address();

            assertThat(server.commandLine()).contains("-XX:+ExitOnOutOfMemoryError");
        }
    }

    @Test
    void a_build_does_not_disturb_a_server_that_runs() throws Exception {
        try (JarProcess server = launch("serve", "--port", "0", "--store", "heap:")) {
            String address = server.address();

            Files.write(jar, new byte[(int) Files.size(jar)]);

            assertThat(Http.post(address + "/v1/tasks", "{\"topic\": \"email\"}"))
                    .contains("\"duplicate\":false");
            assertThat(Http.post(address + "/v1/workers", "{}")).contains("\"pingEvery\"");
            assertThat(Http.get(address + "/v1/topics")).contains("email");
            assertThat(Http.get(address + "/openapi.json")).contains("openapi");
            server.askToStop();
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void only_serve_builds_when_sources_have_changed() throws Exception {
        changeSources();

        try (JarProcess config = launch("config")) {
            assertThat(config.restOfOutput()).contains("worker-expiry").doesNotContain(BUILT);
        }
        try (JarProcess serve = launch("serve")) {
            assertThat(serve.restOfOutput()).contains(BUILT);
            assertThat(serve.exitCode()).isEqualTo(ExitCode.FAILED);
        }
    }

    @Test
    void every_command_builds_when_there_is_no_jar() throws Exception {
        Files.delete(jar);

        try (JarProcess config = launch("config")) {
            assertThat(config.restOfOutput()).contains(BUILT);
        }
    }

    @Test
    void a_copy_stays_as_long_as_its_process() throws Exception {
        try (JarProcess first = launch("serve", "--port", "0", "--store", "heap:")) {
            var unused = first.address();
            try (JarProcess second = launch("serve", "--port", "0", "--store", "heap:")) {
                unused = second.address();
                assertThat(jarsIn(checkout)).hasSize(2);
                second.askToStop();
                assertThat(second.exitCode()).isZero();
            }
            try (JarProcess third = launch("serve", "--port", "0", "--store", "heap:")) {
                unused = third.address();
                assertThat(jarsIn(checkout))
                        .extracting(copy -> copy.getFileName().toString())
                        .containsExactlyInAnyOrder(first.pid() + ".jar", third.pid() + ".jar");
            }
        }
    }
}
