package io.millrace.server;

import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol.Claim;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the leases that go out, so that none can be made up: a store's tokens are cheap to make and easy to guess. The
 * seal is a keyed hash of task, worker, attempt and token behind a point, with a key that all nodes over the store
 * share.
 */
final class LeaseSeal {
    private static final String HASH = "HmacSHA256";
    private static final int SEAL_BYTES = 16;
    private static final char POINT = '.';

    private final ThreadLocal<Mac> hashes;

    LeaseSeal(byte[] secret) {
        SecretKeySpec key = new SecretKeySpec(secret, HASH);
        hashes = ThreadLocal.withInitial(() -> {
            try {
                Mac hash = Mac.getInstance(HASH);
                hash.init(key);
                return hash;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every JDK has " + HASH, e);
            }
        });
    }

    Claim seal(Claim claim) {
        return claim.tasks().isEmpty()
                ? claim
                : new Claim(
                        claim.worker(), claim.tasks().stream().map(this::seal).toList());
    }

    private LeasedTask seal(LeasedTask leased) {
        Lease lease = leased.lease();
        String sealed = lease.token() + POINT + text(hash(lease));
        return new LeasedTask(leased.task(), with(lease, sealed), leased.timeToRun());
    }

    /** The lease under a seal. If the seal is not ours, or of another lease, it becomes one that nobody holds. */
    Lease open(Lease sealed) {
        int point = sealed.token().lastIndexOf(POINT);
        if (point < 0) {
            return nobodys(sealed);
        }
        Lease lease = with(sealed, sealed.token().substring(0, point));
        byte[] expected = text(hash(lease)).getBytes(StandardCharsets.US_ASCII);
        byte[] given = sealed.token().substring(point + 1).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, given) ? lease : nobodys(sealed);
    }

    /** The same, held by nobody: a store answers it like every lease that was lost. */
    static Lease nobodys(Lease lease) {
        return with(lease, "");
    }

    private static Lease with(Lease lease, String token) {
        return new Lease(lease.task(), lease.attempt(), lease.worker(), token);
    }

    private static String text(byte[] seal) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(seal);
    }

    private byte[] hash(Lease lease) {
        byte[] token = lease.token().getBytes(StandardCharsets.UTF_8);
        ByteBuffer text = ByteBuffer.allocate(4 * Long.BYTES + Integer.BYTES + token.length);
        text.putLong(lease.task().getMostSignificantBits())
                .putLong(lease.task().getLeastSignificantBits())
                .putLong(lease.worker().getMostSignificantBits())
                .putLong(lease.worker().getLeastSignificantBits())
                .putInt(lease.attempt())
                .put(token);
        return Arrays.copyOf(hashes.get().doFinal(text.array()), SEAL_BYTES);
    }
}
