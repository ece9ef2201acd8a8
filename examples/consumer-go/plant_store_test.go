package garden

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"
)

// PlantStore is the reference server as a process. URL and Token are for the client under test; the methods control the
// server.
type PlantStore struct {
	URL     string
	Token   string
	Control string
	command *exec.Cmd
	input   io.Closer
}

// ReceivedRequest is a request that the plant store received, and the status of its response.
type ReceivedRequest struct {
	Body   string
	Status int
}

var running *PlantStore

// TestMain starts one server for all tests: starting it takes longer than a test.
func TestMain(m *testing.M) {
	store, err := startPlantStore()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	running = store
	status := m.Run()
	store.stop()
	os.Exit(status)
}

func startPlantStore() (*PlantStore, error) {
	command := exec.Command("node_modules/.bin/plant-store-contract", "serve", "--port", "0", "--control-port", "0", "--log", "json",
		"--until-stdin-closes")
	command.Stderr = os.Stderr
	// It closes when the tests end, also if they are killed. Then the server ends.
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("%w; is the plant store installed? npm install", err)
	}
	reader := bufio.NewReader(output)
	line, err := reader.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("the plant store did not start: %w", err)
	}
	// The log goes on. A full pipe would stop the server.
	go io.Copy(io.Discard, reader)
	store := &PlantStore{command: command, input: input}
	if err := json.Unmarshal(line, store); err != nil {
		store.stop()
		return nil, err
	}
	return store, nil
}

func (s *PlantStore) stop() {
	s.input.Close()
	s.command.Wait()
}

// storeFor returns the server as it is at the start. The test fails if it set a failure that no request met.
func storeFor(t *testing.T) *PlantStore {
	t.Helper()
	running.control(t, http.MethodPost, "/reset", nil, nil)
	t.Cleanup(func() {
		var unused []map[string]any
		running.control(t, http.MethodGet, "/failures/unused", nil, &unused)
		if len(unused) > 0 {
			t.Errorf("failures that no request met: %v", unused)
		}
	})
	return running
}

// seed stores plants without a request of the client.
func (s *PlantStore) seed(t *testing.T, plants ...NewPlant) {
	t.Helper()
	s.control(t, http.MethodPost, "/plants", plants, nil)
}

// fail makes valid creations fail: {"status": 503, "times": 1}.
func (s *PlantStore) fail(t *testing.T, failure map[string]any) {
	t.Helper()
	s.control(t, http.MethodPost, "/failures", failure, nil)
}

// plants returns the stored plants. Decoded to a struct with an int64, their ids keep every digit.
func (s *PlantStore) plants(t *testing.T) (plants []NewPlant) {
	t.Helper()
	s.control(t, http.MethodGet, "/plants", nil, &plants)
	return plants
}

// requests returns what the plant store received and matches a query such as "name=Aloe&wait=2s".
func (s *PlantStore) requests(t *testing.T, query string) (requests []ReceivedRequest) {
	t.Helper()
	s.control(t, http.MethodGet, "/requests?"+query, nil, &requests)
	return requests
}

func (s *PlantStore) control(t *testing.T, method, path string, value, result any) {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var sent io.Reader
	if value != nil {
		sent = bytes.NewReader(body)
	}
	request, err := http.NewRequest(method, s.Control+path, sent)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= 400 {
		t.Fatalf("%s %s: %s", method, path, text)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(text, result); err != nil {
		t.Fatal(err)
	}
}
