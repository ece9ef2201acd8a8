import { code, type Recipes } from './recipe.js';

const FAILURES = code`
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException


def failure(status, message, headers=None):
    return JSONResponse({"error": status, "message": message}, status, headers)


@app.exception_handler(HTTPException)
async def on_http_exception(request, exc):
    return failure(exc.status_code, str(exc.detail), exc.headers)


@app.exception_handler(RequestValidationError)
async def on_invalid_request(request, exc):
    problems = [f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in exc.errors()]
    return failure(400, "; ".join(problems))


@app.exception_handler(Exception)
async def on_exception(request, exc):
    return failure(500, "failed")`;

const MODEL = {
  text: 'These models convert nothing, know the range of an int64, and tell a tag of null from a missing one.',
  code: code`
from typing import Annotated
from pydantic import BaseModel, ConfigDict, Field, field_validator


class Plant(BaseModel):
    name: str
    tag: str | None = None


class NewPlant(Plant):
    model_config = ConfigDict(strict=True)
    id: Annotated[int, Field(ge=-(2**63), lt=2**63)]

    @field_validator("tag")
    @classmethod
    def tag_is_not_null(cls, tag):
        # This is called only if the request has a tag.
        if tag is None:
            raise ValueError("the tag must be a string")
        return tag`,
};

const RESPONSE = {
  text: 'Name the type of the response, and leave out what is None. Plant is the model with name and tag only.',
  code: '@app.post("/plants", response_model=Plant, response_model_exclude_none=True)',
};

/** FastAPI with Pydantic 2. */
export const fastapi: Recipes = {
  language: 'python',
  byFinding: {
    'framework-error-page': { text: 'Put this after app = FastAPI().', code: FAILURES },
    'unhandled-exception': {
      text: "Put this after app = FastAPI(). FastAPI's own response to an invalid body quotes it, and fails if JSON cannot hold what it quotes.",
      code: FAILURES,
    },
    'types-are-converted': MODEL,
    'id-is-unbounded': MODEL,
    'request/id-is-within-int64': MODEL,
    'null-counts-as-missing': MODEL,
    'absent-tag-is-null': RESPONSE,
    'record-is-serialised-whole': RESPONSE,
  },
};
