// A correct provider on nothing but Go's standard library.
//
// Usage: go-server TOKEN. The port that was chosen is printed as the only line of standard output.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"sync"
	"unicode/utf8"
)

type plant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

var token = os.Args[1]

var plants sync.Map

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func fail(w http.ResponseWriter, status int, message string) {
	respond(w, status, map[string]any{"error": status, "message": message})
}

func isAllowed(authorization []string) bool {
	return len(authorization) == 1 && authorization[0] == "Bearer "+token
}

func create(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		fail(w, http.StatusMethodNotAllowed, "only POST")
		return
	}
	if !isAllowed(r.Header.Values("Authorization")) {
		fail(w, http.StatusUnauthorized, "no token, or a wrong one")
		return
	}
	if mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mediaType != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, "application/json is wanted")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, err.Error())
		return
	}
	created, id, err := read(body)
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	if _, exists := plants.LoadOrStore(id, created); exists {
		fail(w, http.StatusConflict, "there is a plant with this id")
		return
	}
	respond(w, http.StatusOK, created)
}

func read(body []byte) (created plant, id int64, err error) {
	// A struct would also be filled from keys in another case, and null would leave its fields as they are.
	var members map[string]json.RawMessage
	if !utf8.Valid(body) {
		return created, 0, errors.New("the body is not UTF-8")
	}
	if err = json.Unmarshal(body, &members); err != nil {
		return
	}
	for key, field := range map[string]any{"name": &created.Name, "id": &id, "tag": &created.Tag} {
		value, isPresent := members[key]
		if !isPresent && key == "tag" {
			continue
		}
		if !isPresent || string(value) == "null" {
			return created, 0, fmt.Errorf("%s is missing or null", key)
		}
		if err = json.Unmarshal(value, field); err != nil {
			return
		}
	}
	return
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	mux := http.NewServeMux()
	mux.HandleFunc("/plants", create)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fail(w, http.StatusNotFound, "no such path") })
	panic(http.Serve(listener, mux))
}
