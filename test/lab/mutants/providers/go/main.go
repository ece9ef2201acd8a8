// A careful provider of Go's standard library. It rejects an id that it has.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const mostBytes = 1 << 20

// A failure is an error response.
type failure struct {
	status  int
	message string
}

func (f failure) Error() string {
	return f.message
}

type errorBody struct {
	Error   int    `json:"error"`
	Message string `json:"message"`
}

type plant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

type store struct {
	mutex  sync.Mutex
	plants map[int64]plant
}

func (s *store) add(id int64, p plant) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if _, exists := s.plants[id]; exists {
		return false
	}
	s.plants[id] = p
	return true
}

type server struct {
	token [sha256.Size]byte
	store store
}

func (s *server) isAuthorised(r *http.Request) bool {
	fields := r.Header.Values("Authorization")
	if len(fields) != 1 {
		return false
	}
	scheme, token, found := strings.Cut(fields[0], " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	given := sha256.Sum256([]byte(strings.TrimLeft(token, " ")))
	return subtle.ConstantTimeCompare(given[:], s.token[:]) == 1
}

func isJSON(field string) bool {
	mediaType, parameters, err := mime.ParseMediaType(field)
	if err != nil || mediaType != "application/json" {
		return false
	}
	charset, hasCharset := parameters["charset"]
	return !hasCharset || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, failure{http.StatusRequestEntityTooLarge, "the body is too large"}
	}
	if err != nil {
		return nil, failure{http.StatusBadRequest, "the body is incomplete"}
	}
	if !utf8.Valid(body) {
		return nil, failure{http.StatusBadRequest, "the body is not UTF-8"}
	}
	return body, nil
}

func isNull(value json.RawMessage) bool {
	return bytes.Equal(value, []byte("null"))
}

func readPlant(body []byte) (id int64, p plant, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return 0, p, failure{http.StatusBadRequest, "the body is not a JSON object"}
	}
	name, hasName := members["name"]
	if !hasName || isNull(name) || json.Unmarshal(name, &p.Name) != nil {
		return 0, p, failure{http.StatusBadRequest, "name must be a string"}
	}
	number, hasID := members["id"]
	if !hasID || isNull(number) || json.Unmarshal(number, &id) != nil {
		return 0, p, failure{http.StatusBadRequest, "id must be an int64"}
	}
	if tag, hasTag := members["tag"]; hasTag {
		if isNull(tag) || json.Unmarshal(tag, &p.Tag) != nil {
			return 0, p, failure{http.StatusBadRequest, "tag must be a string"}
		}
	}
	return id, p, nil
}

func (s *server) create(w http.ResponseWriter, r *http.Request) (any, error) {
	if !s.isAuthorised(r) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		return nil, failure{http.StatusUnauthorized, "a valid token is needed"}
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, failure{http.StatusUnsupportedMediaType, "the body must be JSON"}
	}
	body, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	id, p, err := readPlant(body)
	if err != nil {
		return nil, err
	}
	if !s.store.add(id, p) {
		return nil, failure{http.StatusConflict, fmt.Sprintf("there is a plant with the id %d", id)}
	}
	return p, nil
}

func write(w http.ResponseWriter, status int, body any) {
	var data bytes.Buffer
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		log.Print(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(data.Bytes())
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var result any
	err := error(nil)
	switch {
	case r.URL.Path != "/plants":
		err = failure{http.StatusNotFound, "there is only /plants"}
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		err = failure{http.StatusMethodNotAllowed, "there is only POST"}
	default:
		result, err = s.create(w, r)
	}
	var known failure
	if errors.As(err, &known) {
		write(w, known.status, errorBody{known.status, known.message})
	} else if err != nil {
		write(w, http.StatusInternalServerError, errorBody{http.StatusInternalServerError, "something failed"})
	} else {
		write(w, http.StatusOK, result)
	}
}

func main() {
	handler := &server{
		token: sha256.Sum256([]byte(os.Getenv("TOKEN"))),
		store: store{plants: map[int64]plant{}},
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal((&http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}).Serve(listener))
}
