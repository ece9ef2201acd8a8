package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"
)

type NewPlant struct {
	Name string  `json:"name" binding:"required"`
	ID   int64   `json:"id" binding:"required"`
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
		var plant NewPlant
		if err := readJSON(c.Request.Body, &plant); err != nil {
			fail(c, http.StatusBadRequest, err.Error())
			return
		}
		if err := binding.Validator.ValidateStruct(&plant); err != nil {
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
