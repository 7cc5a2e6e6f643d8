package io.millrace.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is in force, and who said so: a flag before the environment, the environment before the file. */
final class Settings {
    private static final String CONFIG_VARIABLE = Setting.PREFIX + "CONFIG";
    /** Variables that mean something to other commands, or to the script that starts this one. */
    private static final Set<String> OTHER_VARIABLES =
            Set.of(CONFIG_VARIABLE, "MILLRACE_URL", "MILLRACE_KEY", "MILLRACE_JAR", "MILLRACE_JAVA_OPTS");

    private static final String TEST_VARIABLES = "MILLRACE_TEST_";
    /** Told to the programs of {@code work}, which may start a server. */
    private static final String TASK_VARIABLES = "MILLRACE_TASK_";
    /** What Kubernetes puts into every pod for a service that is named millrace, or millrace and something more. */
    private static final Pattern OF_KUBERNETES = Pattern.compile(
            "MILLRACE_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    private static final Pattern PORT_OF_KUBERNETES = Pattern.compile("MILLRACE_(\\w+_)?PORT=(tcp|udp|sctp)://.*");

    private final Map<Setting, Value> values = new EnumMap<>(Setting.class);

    /** @param origin the flag, the variable, or the file and the name in it */
    record Value(String text, String origin) {}

    private Settings() {}

    /**
     * @param flags those that were given
     * @param file the one that a flag names; null for that of the environment, if any
     * @throws UsageException if a name is unknown, or the file cannot be read
     */
    static Settings gather(Map<Setting, String> flags, @Nullable Path file, Map<String, String> environment) {
        Settings settings = new Settings();
        String variable = environment.get(CONFIG_VARIABLE);
        if (file != null) {
            settings.addFile(file);
        } else if (variable != null && !variable.isBlank()) {
            settings.addFile(Path.of(variable));
        }
        settings.addEnvironment(environment);
        flags.forEach((setting, text) -> settings.values.put(setting, new Value(text, setting.flag())));
        return settings;
    }

    private void addFile(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("the settings file " + file + " cannot be read: " + e);
        }
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            Setting setting = Setting.ofKey(key);
            if (setting == null) {
                throw new UsageException(file + ": there is no setting " + key + "; millrace config lists them all");
            }
            values.put(setting, new Value(properties.getProperty(key).strip(), file + ": " + key));
        }
    }

    private void addEnvironment(Map<String, String> environment) {
        for (String name : new TreeSet<>(environment.keySet())) {
            String text = String.valueOf(environment.get(name)).strip();
            if (!name.startsWith(Setting.PREFIX) || isForOthers(name, text)) {
                continue;
            }
            String key = name.substring(Setting.PREFIX.length())
                    .toLowerCase(Locale.ROOT)
                    .replace('_', '-');
            Setting setting = Setting.ofKey(key);
            if (setting == null) {
                throw new UsageException("environment variable " + name + ": there is no setting " + key
                        + "; millrace config lists them all");
            }
            values.put(setting, new Value(text, name));
        }
    }

    private static boolean isForOthers(String name, String text) {
        return OTHER_VARIABLES.contains(name)
                || name.startsWith(TEST_VARIABLES)
                || name.startsWith(TASK_VARIABLES)
                || OF_KUBERNETES.matcher(name).matches()
                || PORT_OF_KUBERNETES.matcher(name + "=" + text).matches();
    }

    /** What is in force; null for nothing, or what the server chooses. */
    @Nullable
    Value get(Setting setting) {
        Value given = values.get(setting);
        if (given != null) {
            return given;
        }
        String standard = setting.standard();
        return standard == null ? null : new Value(standard, "default");
    }
}
