package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/gin-gonic/gin"
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

func fail(c *gin.Context, status int, message string) {
	c.AbortWithStatusJSON(status, gin.H{"error": status, "message": message})
}

func main() {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.Use(func(c *gin.Context) {
		if c.GetHeader("Authorization") != "Bearer "+os.Getenv("TOKEN") {
			fail(c, http.StatusUnauthorized, "unauthorized")
		}
	})
	router.POST("/plants", func(c *gin.Context) {
		plant, err := readPlant(c.Request.Body)
		if err != nil {
			fail(c, http.StatusBadRequest, err.Error())
			return
		}
		mutex.Lock()
		plants = append(plants, plant)
		mutex.Unlock()
		c.JSON(http.StatusOK, Plant{plant.Name, plant.Tag})
	})
	router.Run("127.0.0.1:" + os.Getenv("PORT"))
}
