package main

import (
	"errors"
	"net/http"
	"os"
	"sync"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/render"
)

type NewPlant struct {
	Name *string `json:"name"`
	ID   *int64  `json:"id"`
	Tag  *string `json:"tag"`
}

func (p *NewPlant) Bind(r *http.Request) error {
	if p.Name == nil || p.ID == nil {
		return errors.New("name and id are required")
	}
	return nil
}

type Plant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

var (
	mutex  sync.Mutex
	plants []*NewPlant
)

func fail(w http.ResponseWriter, r *http.Request, status int, message string) {
	render.Status(r, status)
	render.JSON(w, r, map[string]any{"error": status, "message": message})
}

func main() {
	r := chi.NewRouter()
	r.Post("/plants", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+os.Getenv("TOKEN") {
			fail(w, r, http.StatusUnauthorized, "unauthorized")
			return
		}
		plant := &NewPlant{}
		if err := render.Bind(r, plant); err != nil {
			fail(w, r, http.StatusBadRequest, err.Error())
			return
		}
		mutex.Lock()
		plants = append(plants, plant)
		mutex.Unlock()
		render.JSON(w, r, Plant{*plant.Name, plant.Tag})
	})
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), r)
}
