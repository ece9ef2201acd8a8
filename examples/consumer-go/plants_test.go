package garden

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

// The integer after 2^53, which a float64 cannot hold.
var aloe = NewPlant{Name: "Aloe", ID: 9007199254740993, Tag: "succulent"}

func TestEveryDigitOfAnIDArrives(t *testing.T) {
	store := storeFor(t)
	client := Client{store.URL, store.Token}

	created, err := client.CreatePlant(context.Background(), aloe)

	expect(t, err, nil)
	expect(t, created, Plant{"Aloe", "succulent"})
	requests := store.requests(t, "name=Aloe")
	expect(t, statuses(requests), []int{200})
	var received NewPlant
	expect(t, json.Unmarshal([]byte(requests[0].Body), &received), nil)
	expect(t, received, aloe)
	expect(t, store.plants(t), []NewPlant{aloe})
}

func TestAPlantStoreThatIsUnavailableOnceIsAskedAgain(t *testing.T) {
	store := storeFor(t)
	store.fail(t, map[string]any{"status": 503, "headers": map[string]string{"Retry-After": "0"}, "times": 1})
	client := Client{store.URL, store.Token}

	_, err := client.CreatePlant(context.Background(), aloe)

	expect(t, err, nil)
	expect(t, statuses(store.requests(t, "id=9007199254740993")), []int{503, 200})
	expect(t, store.plants(t), []NewPlant{aloe})
}

func TestTheClientGivesUpAfterThreeAttempts(t *testing.T) {
	store := storeFor(t)
	store.fail(t, map[string]any{"status": 503, "headers": map[string]string{"Retry-After": "0"}, "message": "closed for repotting"})
	client := Client{store.URL, store.Token}

	_, err := client.CreatePlant(context.Background(), aloe)

	expect(t, rejection(t, err), Error{503, "closed for repotting"})
	expect(t, statuses(store.requests(t, "")), []int{503, 503, 503})
	expect(t, store.plants(t), []NewPlant{})
}

func TestARejectedPlantIsNotSentAgain(t *testing.T) {
	store := storeFor(t)
	fern := NewPlant{Name: "Fern", ID: aloe.ID}
	store.seed(t, fern)
	client := Client{store.URL, store.Token}

	_, err := client.CreatePlant(context.Background(), aloe)

	expect(t, rejection(t, err), Error{400, `a plant with the "id" 9007199254740993 exists already`})
	expect(t, statuses(store.requests(t, "")), []int{400})
	expect(t, store.plants(t), []NewPlant{fern})
}

func expect(t *testing.T, actual, expected any) {
	t.Helper()
	if !reflect.DeepEqual(actual, expected) {
		t.Fatalf("got %+v, expected %+v", actual, expected)
	}
}

func rejection(t *testing.T, err error) Error {
	t.Helper()
	var rejected *Error
	if !errors.As(err, &rejected) {
		t.Fatalf("got %v, expected a rejection", err)
	}
	return *rejected
}

func statuses(requests []ReceivedRequest) []int {
	all := []int{}
	for _, request := range requests {
		all = append(all, request.Status)
	}
	return all
}
