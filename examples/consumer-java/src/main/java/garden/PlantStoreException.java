package garden;

import java.io.IOException;

/** The plant store did not create the plant. The message is that of the plant store. */
public class PlantStoreException extends IOException {
    private final int status;

    PlantStoreException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
