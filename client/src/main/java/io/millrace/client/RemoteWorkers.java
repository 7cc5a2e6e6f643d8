package io.millrace.client;

import io.millrace.Limits;
import io.millrace.Worker;
import io.millrace.WorkerClient;
import io.millrace.wire.WorkerForm;
import java.util.List;
import java.util.UUID;

/** What users ask of workers, asked of a server. */
final class RemoteWorkers implements WorkerClient {
    private final Transport transport;

    RemoteWorkers(Transport transport) {
        this.transport = transport;
    }

    @Override
    public List<Worker> list() {
        return WorkerForm.readList(
                RemoteTasks.good(transport.call(Call.get("/v1/workers"))).body());
    }

    @Override
    public boolean stop(UUID id) {
        Answer answer = transport.call(Call.post("/v1/workers/" + Limits.present("id", id) + "/stop"));
        if (RemoteProtocol.isGone(answer)) {
            return false;
        }
        var unused = RemoteTasks.good(answer);
        return true;
    }
}
