package io.millrace.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Locale;

/**
 * Tells operators in their words when the process has used up its file descriptors and connections are not accepted.
 */
@Sharable
final class OpenFiles extends ChannelInboundHandlerAdapter {
    private static final String NAME = "millrace-open-files";

    private final TroubleLog troubles;

    OpenFiles(TroubleLog troubles) {
        this.troubles = troubles;
    }

    /** Watches the socket that a connection was accepted from. */
    void watch(Channel connection) {
        Channel listening = connection.parent();
        if (listening == null || listening.pipeline().get(NAME) != null) {
            return;
        }
        listening.eventLoop().execute(() -> {
            if (listening.pipeline().get(NAME) == null) {
                listening.pipeline().addLast(NAME, this);
            }
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        troubles.notAccepted(cause);
    }

    static String adviceOn(String failure, Throwable cause) {
        String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("too many open files") || text.contains("no file descriptors available")
                ? failure + ": the process has used up its file descriptors. Raise the limit on open files (ulimit -n,"
                        + " LimitNOFILE= of systemd)"
                : failure;
    }
}
