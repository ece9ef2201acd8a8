package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/go-playground/validator/v10"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

type NewPlant struct {
	Name string  `json:"name" validate:"required"`
	ID   int64   `json:"id" validate:"required"`
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

func jsonFailures(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	status, message := http.StatusInternalServerError, "failed"
	var failure *echo.HTTPError
	if errors.As(err, &failure) {
		status, message = failure.Code, fmt.Sprint(failure.Message)
	}
	c.JSON(status, map[string]any{"error": status, "message": message})
}

func main() {
	e := echo.New()
	e.HideBanner = true
	e.HTTPErrorHandler = jsonFailures
	e.Validator = &customValidator{validator.New()}
	e.Use(middleware.KeyAuth(func(key string, c echo.Context) (bool, error) {
		return key == os.Getenv("TOKEN"), nil
	}))
	e.POST("/plants", func(c echo.Context) error {
		plant := new(NewPlant)
		if err := readJSON(c.Request().Body, plant); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, err.Error())
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
