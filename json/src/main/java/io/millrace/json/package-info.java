/** Typed payloads as JSON, by Jackson. {@link io.millrace.json.JacksonCodec} is all there is. */
@NullMarked
package io.millrace.json;

import org.jspecify.annotations.NullMarked;
