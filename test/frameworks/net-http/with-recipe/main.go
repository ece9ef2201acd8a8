package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
)

type NewPlant struct {
	Name string  `json:"name"`
	ID   int64   `json:"id"`
	Tag  *string `json:"tag"`
}

// UnmarshalJSON reads a NewPlant: its keys exactly, and no null.
func (plant *NewPlant) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	for key, field := range map[string]any{"name": &plant.Name, "id": &plant.ID, "tag": &plant.Tag} {
		value, isThere := members[key]
		isRead := string(value) != "null" && json.Unmarshal(value, field) == nil
		if !isRead && (isThere || key != "tag") {
			return fmt.Errorf("%q is missing or wrong", key)
		}
	}
	return nil
}

// readJSON fails if anything follows the JSON.
func readJSON(body io.Reader, value any) error {
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}

type Plant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

var (
	mutex  sync.Mutex
	plants []NewPlant
)

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"error": status, "message": message})
}

func createPlant(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+os.Getenv("TOKEN") {
		fail(w, http.StatusUnauthorized, "Unauthorized")
		return
	}
	var plant NewPlant
	if err := readJSON(r.Body, &plant); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	if plant.Name == "" || plant.ID == 0 {
		fail(w, http.StatusBadRequest, "name and id are required")
		return
	}
	mutex.Lock()
	plants = append(plants, plant)
	mutex.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(Plant{plant.Name, plant.Tag})
}

func main() {
	http.HandleFunc("POST /plants", createPlant)
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}
