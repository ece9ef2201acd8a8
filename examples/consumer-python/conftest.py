import pytest

from plant_store import PlantStore


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
