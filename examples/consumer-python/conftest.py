import os

import pytest

from plant_store import PlantStore

# The server is on this machine. Python would ask the proxy of http_proxy for it.
os.environ["no_proxy"] = ",".join(filter(None, [os.environ.get("no_proxy"), "127.0.0.1"]))


@pytest.fixture(scope="session")
def running_store():
    """One server for all tests: starting it takes longer than a test."""
    store = PlantStore()
    yield store
    store.stop()


@pytest.fixture
def store(running_store):
    """The server as it is at the start. The test fails if it set a failure that no request met."""
    running_store.reset()
    yield running_store
    assert running_store.unused_failures() == []
