package io.millrace.internal.dump;

import io.millrace.Damage;
import io.millrace.Enqueuer;
import io.millrace.Payload;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * From where and where to items are given back.
 *
 * @param mayPut asked before each item
 */
public record RestoreSettings<T>(
        Path directory,
        Function<Payload, T> decoder,
        Enqueuer<? super T> target,
        BooleanSupplier mayPut,
        Consumer<Damage> onDamage) {}
