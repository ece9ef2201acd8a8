package main

import (
	"context"
	"net/http"
	"os"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

type NewPlant struct {
	Name string `json:"name"`
	ID   int64  `json:"id"`
	Tag  string `json:"tag,omitempty"`
}

type Plant struct {
	Name string `json:"name"`
	Tag  string `json:"tag,omitempty"`
}

type Input struct {
	Authorization string `header:"Authorization"`
	Body          NewPlant
}

type Output struct{ Body Plant }

var (
	mutex  sync.Mutex
	plants []NewPlant
)

func main() {
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("Plants", "1.0.0"))
	huma.Register(api, huma.Operation{
		OperationID:   "createPlant",
		Method:        http.MethodPost,
		Path:          "/plants",
		DefaultStatus: http.StatusOK,
	}, func(ctx context.Context, input *Input) (*Output, error) {
		if input.Authorization != "Bearer "+os.Getenv("TOKEN") {
			return nil, huma.Error401Unauthorized("unauthorized")
		}
		mutex.Lock()
		plants = append(plants, input.Body)
		mutex.Unlock()
		return &Output{Plant{input.Body.Name, input.Body.Tag}}, nil
	})
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux)
}
