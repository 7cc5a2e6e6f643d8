package io.millrace.testkit.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

final class Postgres implements ServerProgram {
    private static final String ARCHIVE = "postgres-linux-x86_64.txz";

    private static final List<String> INITDB = List.of(
            "--no-sync",
            "--no-instructions",
            "--encoding=UTF8",
            "--locale=C",
            // Most databases sort by a language; one that sorts by bytes would hide mistakes.
            "--locale-provider=icu",
            "--icu-locale=en-US",
            "--username=" + USER,
            "--auth=password");

    private static final List<String> SETTINGS = List.of(
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=300",
            "shared_buffers=128MB",
            "fsync=on",
            "synchronous_commit=on",
            // In files of its own directory, not in /dev/shm, where a killed server would leave them.
            "dynamic_shared_memory_type=mmap");

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public String urlVariable() {
        return "MILLRACE_TEST_POSTGRES_URL";
    }

    @Override
    public Path install() throws IOException {
        BinariesJar jar = BinariesJar.with(ARCHIVE, this);
        return Cache.entry(
                jar.name(),
                home -> jar.eachFile((path, content) -> {
                    if (path.equals(ARCHIVE)) {
                        unpack(content, home);
                    }
                }));
    }

    private static void unpack(InputStream archive, Path home) throws IOException {
        TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(archive));
        for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
            Path file = FileTree.inside(home, entry.getName());
            if (entry.isSymbolicLink()) {
                Files.createDirectories(file.getParent());
                Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            } else if (entry.isFile() && !entry.getName().endsWith(".a")) {
                FileTree.write(file, tar, (entry.getMode() & 0100) != 0);
            }
        }
    }

    @Override
    public Path template(Path home) throws IOException {
        return Cache.entry(Cache.name(home + "-data", INITDB), directory -> {
                    List<String> command =
                            new ArrayList<>(List.of(home.resolve("bin/initdb").toString()));
                    command.addAll(INITDB);
                    command.add("--pwfile=" + Files.writeString(directory.resolve("password"), USER));
                    command.add("--pgdata=" + Account.CURRENT.createOwned(directory.resolve("data")));
                    Command.runAsServer(command, directory, null);
                })
                .resolve("data");
    }

    @Override
    public List<String> command(Path home, Path data, int port, List<String> settings) {
        List<String> command = new ArrayList<>(
                List.of(home.resolve("bin/postgres").toString(), "-D", data.toString(), "-p", Integer.toString(port)));
        for (List<String> some : List.of(SETTINGS, settings)) {
            for (String setting : some) {
                command.add("-c");
                command.add(setting);
            }
        }
        return command;
    }

    @Override
    public List<String> settingsOfPrimary() {
        return List.of("synchronous_standby_names=*");
    }

    @Override
    public List<String> settingsOfReplica(int primaryPort) {
        return List.of("primary_conninfo=host=127.0.0.1 port=" + primaryPort + " user=" + USER + " password=" + USER);
    }

    @Override
    public void makeReplica(Path data) throws IOException {
        Files.createFile(data.resolve("standby.signal"));
    }

    @Override
    public void follow(Statement replica, int primaryPort) {}

    @Override
    public void promote(Statement replica) throws SQLException {
        try (ResultSet answer = replica.executeQuery("select pg_promote()")) {
            answer.next();
            if (!answer.getBoolean(1)) {
                throw new IllegalStateException("The replica of PostgreSQL was not promoted within its time limit");
            }
        }
    }

    @Override
    public String readyLine() {
        // "connections", or "read-only connections"
        return "database system is ready to accept ";
    }

    @Override
    public String adminUrl(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER + "&password=" + USER;
    }

    @Override
    public String stopSignal() {
        return "INT";
    }

    @Override
    public String abandonSignal() {
        return "QUIT";
    }

    @Override
    public void removeTracesOfKilled(Path data) throws IOException {
        // A few bytes of System V shared memory, by which a server knows that another uses its directory. The seventh
        // line of the file has their key and id.
        List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
        String[] keyAndId = lines.get(6).trim().split(" +", -1);
        try {
            Command.run("ipcrm", "-m", keyAndId[1]);
        } catch (IOException e) {
            // No ipcrm, or gone already: what is left is small, and disappears with the machine's next start.
        }
    }

    @Override
    public void dropDatabase(Statement statement, String name) throws SQLException {
        statement.execute("drop database if exists " + name + " with (force)");
    }
}
