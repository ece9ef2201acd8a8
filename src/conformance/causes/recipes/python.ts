import {
  code,
  fixOf,
  INEXACT_IDS,
  type Recipes,
  UNBOUNDED_IDS,
  UNCHECKED_BODIES,
  WHOLE_RECORDS,
} from './recipe.js';

/** Says what is wrong with a body: `problem_of`. */
const PROBLEM_OF = code`
def problem_of(body):
    """What is wrong with a body. None if it is a NewPlant."""
    if not isinstance(body, dict):
        return "the body must be a JSON object"
    if not isinstance(body.get("name"), str):
        return '"name" must be a string'
    # True is an int to Python, and its integers have no bounds.
    if type(body.get("id")) is not int or not -(2**63) <= body["id"] < 2**63:
        return '"id" must be an int64'
    if "tag" in body and not isinstance(body["tag"], str):
        return '"tag" must be a string'
    return None`;

/** Findings that a check of the body fixes, if it reads the body itself. */
const UNCHECKED = [
  ...UNCHECKED_BODIES,
  ...UNBOUNDED_IDS,
  'request/body-is-json',
  'request/nothing-follows-the-json',
];

const byResponse = fixOf(WHOLE_RECORDS, {
  text: 'Use this as the body of the response.',
  code: code`
plant = {"name": name}
if tag is not None:
    plant["tag"] = tag`,
});

/** Flask 3. */
export const flask: Recipes = {
  language: 'python',
  byFinding: {
    'framework-error-page': {
      text: 'Put this after app = Flask(__name__). It covers exceptions that nothing catches too.',
      code: code`
from werkzeug.exceptions import HTTPException


@app.errorhandler(HTTPException)
def on_http_exception(error):
    headers = [(name, value) for name, value in error.get_headers() if name != "Content-Type"]
    return {"error": error.code, "message": error.description}, error.code, headers`,
    },
    ...fixOf(UNCHECKED, {
      text: 'Put this after app = Flask(__name__). It checks the body before your view reads it.',
      code: code`
from flask import request


${PROBLEM_OF}


@app.before_request
def check_the_plant():
    if request.method != "POST" or request.path != "/plants":
        return None
    problem = problem_of(request.get_json(silent=True))
    return None if problem is None else ({"error": 400, "message": problem}, 400)`,
    }),
    ...byResponse,
  },
};

/** Django 5. */
export const django: Recipes = {
  language: 'python',
  byFinding: {
    'framework-error-page': {
      text: 'Put the class first in MIDDLEWARE, so that it sees the failures of the others too.',
      code: code`
import json


class JsonFailures:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        if response.status_code < 400 or response.headers.get("Content-Type") == "application/json":
            return response
        error = {"error": response.status_code, "message": response.reason_phrase}
        response.content = json.dumps(error)
        response["Content-Type"] = "application/json"
        response["Content-Length"] = str(len(response.content))
        return response`,
    },
    ...fixOf(UNCHECKED, {
      text: 'Put the decorator before your view, beneath csrf_exempt. It checks the body before the view reads it.',
      code: code`
import functools
import json

from django.http import JsonResponse


${PROBLEM_OF}


def checks_the_plant(view):
    @functools.wraps(view)
    def checked(request):
        try:
            body = json.loads(request.body)
        except (ValueError, RecursionError):
            body = None
        problem = problem_of(body)
        return view(request) if problem is None else JsonResponse({"error": 400, "message": problem}, status=400)

    return checked`,
    }),
    ...byResponse,
  },
};

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

/** FastAPI with Pydantic 2. */
export const fastapi: Recipes = {
  language: 'python',
  byFinding: {
    'framework-error-page': { text: 'Put this after app = FastAPI().', code: FAILURES },
    ...fixOf([...UNCHECKED_BODIES, ...INEXACT_IDS], {
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
    }),
    'unhandled-exception': {
      text: "Put this after app = FastAPI(). FastAPI's own response to an invalid body quotes it, and fails if JSON cannot hold what it quotes.",
      code: FAILURES,
    },
    ...fixOf(WHOLE_RECORDS, {
      text: 'Name the type of the response, and leave out what is None.',
      code: code`
from pydantic import BaseModel


class Plant(BaseModel):
    name: str
    tag: str | None = None


@app.post("/plants", response_model=Plant, response_model_exclude_none=True)`,
    }),
  },
};
