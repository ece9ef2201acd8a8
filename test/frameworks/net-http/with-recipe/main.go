package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
)

type NewPlant struct {
	Name string
	ID   int64
	Tag  *string
}

// readPlant reads a NewPlant: its keys exactly, no null, and nothing after the object.
func readPlant(body io.Reader) (plant NewPlant, err error) {
	var members map[string]json.RawMessage
	decoder := json.NewDecoder(body)
	if err = decoder.Decode(&members); err != nil {
		return plant, err
	}
	if _, err = decoder.Token(); err != io.EOF {
		return plant, errors.New("something follows the JSON object")
	}
	if members["name"] == nil || members["id"] == nil {
		return plant, errors.New("name or id is missing")
	}
	for key, field := range map[string]any{"name": &plant.Name, "id": &plant.ID, "tag": &plant.Tag} {
		value, isPresent := members[key]
		if !isPresent {
			continue
		}
		if string(value) == "null" {
			return plant, fmt.Errorf("%s is null", key)
		}
		if err = json.Unmarshal(value, field); err != nil {
			return plant, fmt.Errorf("%s: %w", key, err)
		}
	}
	return plant, nil
}

type Plant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

var (
	mutex  sync.Mutex
	plants []NewPlant
)

func createPlant(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+os.Getenv("TOKEN") {
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
		return
	}
	plant, err := readPlant(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if plant.Name == "" || plant.ID == 0 {
		http.Error(w, "name and id are required", http.StatusBadRequest)
		return
	}
	mutex.Lock()
	plants = append(plants, plant)
	mutex.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(Plant{plant.Name, plant.Tag})
}

// jsonFailures replaces the plain text of http.Error and of the mux by an Error.
type jsonFailures struct {
	http.ResponseWriter
	isReplaced bool
}

func (w *jsonFailures) WriteHeader(status int) {
	header := w.Header()
	w.isReplaced = status >= 400 && !strings.HasPrefix(header.Get("Content-Type"), "application/json")
	if w.isReplaced {
		header.Set("Content-Type", "application/json")
		header.Del("Content-Length")
	}
	w.ResponseWriter.WriteHeader(status)
	if w.isReplaced {
		json.NewEncoder(w.ResponseWriter).Encode(map[string]any{"error": status, "message": http.StatusText(status)})
	}
}

func (w *jsonFailures) Write(body []byte) (int, error) {
	if w.isReplaced {
		return len(body), nil
	}
	return w.ResponseWriter.Write(body)
}

func withJSONFailures(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		replacing := &jsonFailures{ResponseWriter: w}
		defer func() {
			if reason := recover(); reason != nil {
				log.Print(reason)
				replacing.WriteHeader(http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(replacing, r)
	})
}

func main() {
	http.HandleFunc("POST /plants", createPlant)
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), withJSONFailures(http.DefaultServeMux))
}
