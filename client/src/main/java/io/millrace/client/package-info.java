/**
 * A Millrace whose tasks are kept by a server elsewhere: the same calls and the same handlers, over HTTP. {@link
 * io.millrace.client.HttpProvider} opens it; {@link io.millrace.client.ServerViews} is for those who only look. {@code RemoteBackend} puts the parts together, and {@code Transport} is the
 * only one that sends something.
 *
 * <p>Every answer can get lost. So whatever may be sent twice is sent again until it is answered or the caller's
 * patience is over, and what may not be says that nobody knows ({@link io.millrace.StoreUnavailableException}).
 */
@NullMarked
package io.millrace.client;

import org.jspecify.annotations.NullMarked;
