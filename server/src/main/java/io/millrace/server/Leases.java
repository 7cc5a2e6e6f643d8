package io.millrace.server;

import io.millrace.server.Access.Caller;
import io.millrace.spi.Lease;
import io.millrace.spi.LocalBackend;
import io.millrace.spi.WorkerProtocol.Claim;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The leases that workers are given and send back. */
final class Leases {
    private final LocalBackend local;
    private final LeaseSeal seal;

    Leases(LocalBackend local) {
        this.local = local;
        seal = new LeaseSeal(local.secret());
    }

    /** A claim as it goes out. */
    Claim seal(Claim claim) {
        return seal.seal(claim);
    }

    /**
     * Leases as they come back, in their order. One that was made up, or whose task is of a topic that is not open to
     * the caller any more, becomes one that nobody holds. May wait for the store.
     */
    List<Lease> open(Caller caller, List<Lease> sealed) {
        Map<UUID, String> topics = caller.isLimited()
                ? local.topicsOf(sealed.stream().map(Lease::task).distinct().toList())
                : Map.of();
        return sealed.stream()
                .map(lease -> {
                    String topic = topics.get(lease.task());
                    boolean mayUse = !caller.isLimited() || (topic != null && caller.mayUse(topic));
                    return mayUse ? seal.open(lease) : LeaseSeal.nobodys(lease);
                })
                .toList();
    }
}
