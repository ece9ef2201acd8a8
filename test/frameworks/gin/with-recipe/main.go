package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/gin-gonic/gin"
)

type NewPlant struct { Name string; ID int64; Tag *string }

// readPlant reads a NewPlant: its keys exactly, no null, and nothing after the object.
func readPlant(body io.Reader) (plant NewPlant, err error) {
	var members map[string]json.RawMessage
	text, err := io.ReadAll(body)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	for key, field := range map[string]any{"name": &plant.Name, "id": &plant.ID, "tag": &plant.Tag} {
		value, isThere := members[key]
		isRead := !isThere && key == "tag" || string(value) != "null" && json.Unmarshal(value, field) == nil
		if err == nil && !isRead {
			err = fmt.Errorf("%q is missing or wrong", key)
		}
	}
	return plant, err
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
