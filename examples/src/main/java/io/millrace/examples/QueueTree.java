package io.millrace.examples;

import static io.millrace.ItemHandler.asyncChain;
import static io.millrace.ItemHandler.chain;
import static io.millrace.ItemHandler.transit;

import io.millrace.Millrace;
import io.millrace.StopException;
import io.millrace.WorkQueue;

/**
 * Handlers put together to a tree. An order is checked; stock and price are looked up at the same time; then it goes both
 * to a queue in this process, which mails, and to a topic of a Millrace, which ships. With a durable store behind the
 * Millrace, the shipping survives this process.
 *
 * <pre>
 * orders: check ── stock ──┬── queue "mails"
 *               └─ price ──┴── topic "shipping"
 * </pre>
 */
public final class QueueTree {
    record Order(int id, String goods) {}

    private QueueTree() {}

    public static void main(String[] arguments) throws Exception {
        try (Millrace millrace = Millrace.open("heap:")) {
            millrace.handle("shipping", Order.class, (order, context) -> say("shipped: ", order));

            // closed in the order in which items travel: first the queue that feeds, then the one that is fed
            try (WorkQueue<Order> mails = WorkQueue.<Order>builder()
                            .name("mails")
                            .capacity(100)
                            .workers(1)
                            .handler(order -> say("mailed: ", order))
                            .build();
                    WorkQueue<Order> orders = WorkQueue.<Order>builder()
                            .name("orders")
                            .capacity(100)
                            .workers(2)
                            .deadLetter(order -> say("refused: ", order))
                            .handler(chain(
                                    QueueTree::check,
                                    asyncChain(order -> say("in stock: ", order), order -> say("priced: ", order)),
                                    asyncChain(transit(mails), transit(millrace.enqueuer("shipping")))))
                            .build()) {
                orders.put(new Order(1, "tea"));
                orders.put(new Order(2, "coffee"));
                orders.put(new Order(3, ""));
            }
            millrace.drain();
        }
    }

    /** A failure ends the chain: what comes after it does not run. */
    private static void check(Order order) throws StopException {
        if (order.goods().isEmpty()) {
            throw new StopException("an order of nothing");
        }
    }

    private static void say(String what, Order order) {
        System.out.println(what + order.id());
    }
}
