import json

import pytest

from plants import PlantStoreError, create_plant

# The integer after 2^53, which a 64-bit float cannot hold.
ALOE = {"name": "Aloe", "id": 9007199254740993, "tag": "succulent"}


def statuses(requests):
    return [request["status"] for request in requests]


def test_every_digit_of_an_id_arrives(store):
    assert create_plant(store.url, store.token, ALOE) == {"name": "Aloe", "tag": "succulent"}

    [request] = store.requests(name="Aloe")
    assert json.loads(request["body"]) == ALOE
    assert store.plants() == [ALOE]


def test_a_plant_store_that_is_unavailable_once_is_asked_again(store):
    store.fail(status=503, headers={"Retry-After": "0"}, times=1)

    create_plant(store.url, store.token, ALOE)

    assert statuses(store.requests(id=ALOE["id"])) == [503, 200]
    assert store.plants() == [ALOE]


def test_the_client_gives_up_after_three_attempts(store):
    store.fail(status=503, headers={"Retry-After": "0"}, message="closed for repotting")

    with pytest.raises(PlantStoreError, match="closed for repotting"):
        create_plant(store.url, store.token, ALOE)

    assert statuses(store.requests()) == [503, 503, 503]
    assert store.plants() == []


def test_a_rejected_plant_is_not_sent_again(store):
    store.seed({"name": "Fern", "id": ALOE["id"]})

    with pytest.raises(PlantStoreError, match='a plant with the "id" 9007199254740993 exists already') as caught:
        create_plant(store.url, store.token, ALOE)

    assert caught.value.status == 400
    assert statuses(store.requests()) == [400]
    assert store.plants() == [{"name": "Fern", "id": ALOE["id"]}]
