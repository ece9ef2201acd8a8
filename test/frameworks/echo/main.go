package main

import (
	"net/http"
	"os"
	"sync"

	"github.com/go-playground/validator/v10"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

type NewPlant struct {
	Name string `json:"name" validate:"required"`
	ID   int64  `json:"id" validate:"required"`
	Tag  string `json:"tag"`
}

type Plant struct {
	Name string `json:"name"`
	Tag  string `json:"tag,omitempty"`
}

type customValidator struct{ validator *validator.Validate }

func (cv *customValidator) Validate(i interface{}) error {
	if err := cv.validator.Struct(i); err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, err.Error())
	}
	return nil
}

var (
	mutex  sync.Mutex
	plants []NewPlant
)

func main() {
	e := echo.New()
	e.HideBanner = true
	e.Validator = &customValidator{validator.New()}
	e.Use(middleware.KeyAuth(func(key string, c echo.Context) (bool, error) {
		return key == os.Getenv("TOKEN"), nil
	}))
	e.POST("/plants", func(c echo.Context) error {
		plant := new(NewPlant)
		if err := c.Bind(plant); err != nil {
			return err
		}
		if err := c.Validate(plant); err != nil {
			return err
		}
		mutex.Lock()
		plants = append(plants, *plant)
		mutex.Unlock()
		return c.JSON(http.StatusOK, Plant{plant.Name, plant.Tag})
	})
	e.Start("127.0.0.1:" + os.Getenv("PORT"))
}
