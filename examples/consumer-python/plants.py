"""A client of the plant store."""

import json
import time
import urllib.error
import urllib.request

ATTEMPTS = 3
TIMEOUT_S = 5


class PlantStoreError(Exception):
    """The plant store did not create the plant. The text is its message."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def create_plant(url, token, plant):
    """Creates a plant: a dict with `name`, `id` and perhaps `tag`. Returns the plant without its id.

    Tries again if the plant store is unavailable (503): three times in all, and as late as `Retry-After` says.
    """
    request = urllib.request.Request(
        f"{url}/plants",
        # Python writes an integer with every digit.
        data=json.dumps(plant).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                if error.code != 503 or attempt == ATTEMPTS:
                    raise PlantStoreError(error.code, _message_of(error)) from None
                time.sleep(_seconds_to_wait(error.headers.get("Retry-After")))


def _message_of(response):
    body = response.read()
    try:
        return json.loads(body)["message"]
    except (ValueError, KeyError, TypeError):
        # A gateway may respond with a page instead.
        return f"status {response.code}"


def _seconds_to_wait(retry_after):
    # It may also be a date.
    return min(int(retry_after), 30) if (retry_after or "").isdecimal() else 1
