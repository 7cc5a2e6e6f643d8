package io.millrace.client;

import io.millrace.DeadLetterRingException;
import io.millrace.Limits;
import io.millrace.Topic;
import io.millrace.TopicClient;
import io.millrace.TopicPolicy;
import io.millrace.wire.CountForm;
import io.millrace.wire.PolicyForm;
import io.millrace.wire.TopicForm;
import io.millrace.wire.TopicView;
import java.util.List;

/** What users ask of topics, asked of a server. */
final class RemoteTopics implements TopicClient {
    private final Transport transport;

    RemoteTopics(Transport transport) {
        this.transport = transport;
    }

    private static String path(String topic) {
        return "/v1/topics/" + ServerUrl.encoded(Limits.topic("topic", topic));
    }

    private Answer call(Call call) {
        return RemoteTasks.good(transport.call(call));
    }

    @Override
    public List<Topic> list() {
        return views().stream().map(TopicView::topic).toList();
    }

    List<TopicView> views() {
        return TopicForm.readList(call(Call.get("/v1/topics")).body());
    }

    @Override
    public Topic get(String topic) {
        return view(topic).topic();
    }

    TopicView view(String topic) {
        return TopicForm.read(call(Call.get(path(topic))).body());
    }

    @Override
    public void setPolicy(String topic, TopicPolicy policy) {
        String path = path(topic);
        if (topic.equals(Limits.present("policy", policy).deadLetter())) {
            throw new DeadLetterRingException(List.of(topic, topic));
        }
        var unused = call(Call.put(path, PolicyForm.write(policy)));
    }

    @Override
    public void removePolicy(String topic) {
        var unused = call(Call.delete(path(topic)));
    }

    @Override
    public void pause(String topic) {
        var unused = call(Call.post(path(topic) + "/pause"));
    }

    @Override
    public void resume(String topic) {
        var unused = call(Call.post(path(topic) + "/resume"));
    }

    /** Not sent again, though that would do no harm: it would count only what was left. */
    @Override
    public long redrive(String deadLetterTopic) {
        Call call = Call.post(path(deadLetterTopic) + "/redrive").unlessSent();
        return CountForm.read("redriven", call(call).body());
    }
}
