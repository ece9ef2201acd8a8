// Package garden has a client of the plant store.
package garden

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

const attempts = 3

// NewPlant is a plant to create. An int64 holds every id exactly.
type NewPlant struct {
	Name string `json:"name"`
	ID   int64  `json:"id"`
	Tag  string `json:"tag,omitempty"`
}

// Plant is what the plant store returns.
type Plant struct {
	Name string `json:"name"`
	Tag  string `json:"tag"`
}

// Client creates plants in the plant store at URL.
type Client struct {
	URL   string
	Token string
}

// Error says why the plant store did not create a plant.
type Error struct {
	Status  int
	Message string
}

func (e *Error) Error() string { return e.Message }

// CreatePlant creates a plant. If the plant store is unavailable (503), it tries again: three times in all, and as late as
// Retry-After says.
func (c *Client) CreatePlant(ctx context.Context, plant NewPlant) (Plant, error) {
	body, err := json.Marshal(plant)
	if err != nil {
		return Plant{}, err
	}
	for attempt := 1; ; attempt++ {
		created, retryAfter, err := c.send(ctx, body)
		if retryAfter == nil || attempt == attempts {
			return created, err
		}
		select {
		case <-time.After(*retryAfter):
		case <-ctx.Done():
			return Plant{}, ctx.Err()
		}
	}
}

// send sends one request. It returns how long to wait if it makes sense to try again.
func (c *Client) send(ctx context.Context, body []byte) (plant Plant, retryAfter *time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+"/plants", bytes.NewReader(body))
	if err != nil {
		return Plant{}, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return Plant{}, nil, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		err = json.NewDecoder(response.Body).Decode(&plant)
		return plant, nil, err
	}
	if response.StatusCode == http.StatusServiceUnavailable {
		retryAfter = secondsToWait(response.Header.Get("Retry-After"))
	}
	return Plant{}, retryAfter, &Error{response.StatusCode, messageOf(response)}
}

func messageOf(response *http.Response) string {
	var body struct{ Message string }
	if json.NewDecoder(response.Body).Decode(&body) != nil || body.Message == "" {
		// A gateway may respond with a page instead.
		return fmt.Sprintf("status %d", response.StatusCode)
	}
	return body.Message
}

func secondsToWait(retryAfter string) *time.Duration {
	seconds, err := strconv.ParseUint(retryAfter, 10, 32)
	if err != nil {
		// It may also be a date.
		seconds = 1
	}
	if seconds > 30 {
		seconds = 30
	}
	wait := time.Duration(seconds) * time.Second
	return &wait
}
