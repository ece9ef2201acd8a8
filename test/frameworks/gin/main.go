package main

import (
	"net/http"
	"os"
	"sync"

	"github.com/gin-gonic/gin"
)

type NewPlant struct {
	Name string `json:"name" binding:"required"`
	ID   int64  `json:"id" binding:"required"`
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

func main() {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.Use(func(c *gin.Context) {
		if c.GetHeader("Authorization") != "Bearer "+os.Getenv("TOKEN") {
			c.AbortWithStatusJSON(http.StatusUnauthorized, gin.H{"error": "unauthorized"})
		}
	})
	router.POST("/plants", func(c *gin.Context) {
		var plant NewPlant
		if err := c.ShouldBindJSON(&plant); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		mutex.Lock()
		plants = append(plants, plant)
		mutex.Unlock()
		c.JSON(http.StatusOK, Plant{plant.Name, plant.Tag})
	})
	router.Run("127.0.0.1:" + os.Getenv("PORT"))
}
