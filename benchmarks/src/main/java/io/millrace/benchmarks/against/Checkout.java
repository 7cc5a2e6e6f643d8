package io.millrace.benchmarks.against;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** A checkout that was built by {@code ./bench}. */
final class Checkout {
    private Checkout() {}

    /** What its own build put on its class path. */
    static String classPath(Path directory) throws IOException {
        Path file = directory.resolve(Path.of("benchmarks", "target", "classpath.txt"));
        if (!Files.exists(file)) {
            throw new IOException(directory + " is no checkout of Millrace that was built: " + file + " is missing");
        }
        String jars = Files.readString(file).strip();
        for (String jar : jars.split(File.pathSeparator, -1)) {
            if (!Files.exists(Path.of(jar))) {
                throw new IOException("the class path of " + directory + " names " + jar + ", which is not there");
            }
        }
        return jars;
    }

    /**
     * Compiles the contestant of this checkout against a class path.
     *
     * @return the class path with the result, and with the settings of the log
     */
    static String compile(Path sources, String classPath, Path target) throws IOException {
        Path source = sources.resolve(Path.of("java", "io", "millrace", "benchmarks", "against", "Contestant.java"));
        Files.createDirectories(target);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", classPath, "-d", target.toString(), source.toString());
        if (result != 0) {
            throw new IOException(source + " does not compile against " + classPath);
        }
        return String.join(
                File.pathSeparator,
                target.toAbsolutePath().toString(),
                sources.resolve("resources").toAbsolutePath().toString(),
                classPath);
    }

    /** Its commit, marked if files were changed since; its path where git does not know it. */
    static String version(Path directory) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "describe", "--always", "--dirty=+changes", "--abbrev=10")
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 ? said : directory.toString();
    }
}
