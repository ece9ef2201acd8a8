import {
  type ByFinding,
  code,
  fixOf,
  INEXACT_IDS,
  type Recipes,
  UNCHECKED_BODIES,
  WHOLE_RECORDS,
} from './recipe.js';

const READ_PLANT = code`
import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
}`;

/** What the reader fixes: how encoding/json fills a struct, and every other way to read the body. */
function byReader(text: string): ByFinding {
  return fixOf(
    [
      ...UNCHECKED_BODIES,
      ...INEXACT_IDS,
      'id-in-32-bits',
      'keys-ignore-case',
      'request/unknown-members-change-nothing',
      'request/body-is-json',
      'request/nothing-follows-the-json',
    ],
    { text, code: READ_PLANT },
  );
}

const byPlant = fixOf([...WHOLE_RECORDS, 'success/absent-tag-stays-absent'], {
  text: 'Respond with this. A pointer tells a missing tag from an empty one.',
  code: code`
type Plant struct {
	Name string  \`json:"name"\`
	Tag  *string \`json:"tag,omitempty"\`
}`,
});

/** Go's net/http with encoding/json. */
export const netHttp: Recipes = {
  language: 'go',
  byFinding: {
    'framework-error-page': {
      text: 'Serve withJSONFailures(mux) instead of the mux: http.ListenAndServe(address, withJSONFailures(mux)).',
      code: code`
import (
	"encoding/json"
	"log"
	"net/http"
	"strings"
)

// jsonFailures replaces the plain text of http.Error and of the mux by an Error.
type jsonFailures struct {
	http.ResponseWriter
	isReplaced bool
}

func (w *jsonFailures) WriteHeader(status int) {
	header := w.Header()
	w.isReplaced = status >= 400 && !strings.HasPrefix(header.Get("Content-Type"), "application/json")
	if w.isReplaced {
		header.Set("Content-Type", "application/json")
		header.Del("Content-Length")
	}
	w.ResponseWriter.WriteHeader(status)
	if w.isReplaced {
		json.NewEncoder(w.ResponseWriter).Encode(map[string]any{"error": status, "message": http.StatusText(status)})
	}
}

func (w *jsonFailures) Write(body []byte) (int, error) {
	if w.isReplaced {
		return len(body), nil
	}
	return w.ResponseWriter.Write(body)
}

func withJSONFailures(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		replacing := &jsonFailures{ResponseWriter: w}
		defer func() {
			if reason := recover(); reason != nil {
				log.Print(reason)
				replacing.WriteHeader(http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(replacing, r)
	})
}`,
    },
    ...byReader(
      'Call readPlant(r.Body) instead of json.NewDecoder(r.Body).Decode(&plant). If it fails, respond with 400.',
    ),
    ...byPlant,
  },
};

/** Gin 1. */
export const gin: Recipes = {
  language: 'go',
  byFinding: {
    'framework-error-page': {
      text: 'Use gin.New() and these handlers instead of gin.Default().',
      code: code`
import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func jsonFailures(c *gin.Context) {
	c.Header("Content-Type", "application/json")
	c.Next()
	if status := c.Writer.Status(); status >= 400 && c.Writer.Size() <= 0 {
		c.JSON(status, gin.H{"error": status, "message": http.StatusText(status)})
	}
}

func newRouter() *gin.Engine {
	r := gin.New()
	r.Use(gin.Logger(), jsonFailures, gin.Recovery())
	return r
}`,
    },
    ...byReader(
      'Call readPlant(c.Request.Body) instead of c.BindJSON(&plant). If it fails, respond with 400.',
    ),
    ...byPlant,
  },
};

/** Echo 4. */
export const echo: Recipes = {
  language: 'go',
  byFinding: {
    'framework-error-page': {
      text: 'Set e.HTTPErrorHandler = jsonFailures after e := echo.New().',
      code: code`
import (
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
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
}`,
    },
    ...byReader('Call readPlant(c.Request().Body) instead of c.Bind(&plant). If it fails, respond with 400.'),
    // Bind compares media types with their case.
    'request/media-type-case-is-ignored': {
      text: 'Call readPlant(c.Request().Body) instead of c.Bind(&plant), which takes Application/JSON for another media type.',
      code: READ_PLANT,
    },
    ...byPlant,
  },
};
