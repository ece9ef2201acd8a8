package main

import (
	"os"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/keyauth"
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

func main() {
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(keyauth.New(keyauth.Config{
		Validator: func(c *fiber.Ctx, key string) (bool, error) {
			if key == os.Getenv("TOKEN") {
				return true, nil
			}
			return false, keyauth.ErrMissingOrMalformedAPIKey
		},
	}))
	app.Post("/plants", func(c *fiber.Ctx) error {
		plant := new(NewPlant)
		if err := c.BodyParser(plant); err != nil {
			return fiber.NewError(fiber.StatusBadRequest, err.Error())
		}
		if plant.Name == "" || plant.ID == 0 {
			return fiber.NewError(fiber.StatusBadRequest, "name and id are required")
		}
		mutex.Lock()
		plants = append(plants, *plant)
		mutex.Unlock()
		return c.JSON(Plant{plant.Name, plant.Tag})
	})
	app.Listen("127.0.0.1:" + os.Getenv("PORT"))
}
