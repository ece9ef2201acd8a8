package main

import (
	"encoding/json"
	"net/http"
	"os"
	"sync"
)

type NewPlant struct {
	Name string `json:"name"`
	ID   int64  `json:"id"`
	Tag  string `json:"tag"`
}

type Plant struct {
	Name string `json:"name"`
	Tag  string `json:"tag,omitempty"`
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
	var plant NewPlant
	if err := json.NewDecoder(r.Body).Decode(&plant); err != nil {
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

func main() {
	http.HandleFunc("POST /plants", createPlant)
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}
