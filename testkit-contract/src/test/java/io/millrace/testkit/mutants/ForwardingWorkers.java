package io.millrace.testkit.mutants;

import io.millrace.Worker;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

class ForwardingWorkers implements WorkerRegistry {
    final WorkerRegistry workers;

    ForwardingWorkers(WorkerRegistry workers) {
        this.workers = workers;
    }

    @Override
    public UUID register(Introduction introduction, Duration expiresAfter) {
        return workers.register(introduction, expiresAfter);
    }

    @Override
    public void serve(UUID worker, Set<String> topics) {
        workers.serve(worker, topics);
    }

    @Override
    public Renewal renew(Heartbeat heartbeat) {
        return workers.renew(heartbeat);
    }

    @Override
    public boolean leave(UUID worker) {
        return workers.leave(worker);
    }

    @Override
    public boolean requestStop(UUID worker) {
        return workers.requestStop(worker);
    }

    @Override
    public @Nullable Worker find(UUID worker) {
        return workers.find(worker);
    }

    @Override
    public List<Worker> list() {
        return workers.list();
    }
}
