import os
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticSerializationError
from starlette.exceptions import HTTPException

app = FastAPI()
security = HTTPBearer()
plants = []


def failure(status, message, headers=None):
    return JSONResponse({"error": status, "message": message}, status, headers)


@app.exception_handler(HTTPException)
async def on_http_exception(request, exc):
    return failure(exc.status_code, str(exc.detail), exc.headers)


@app.exception_handler(RequestValidationError)
async def on_invalid_request(request, exc):
    problems = [f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in exc.errors()]
    return failure(400, "; ".join(problems))


@app.exception_handler(PydanticSerializationError)
async def on_unwritable_text(request, exc):
    return failure(400, "the plant has a text that JSON cannot hold")


class Plant(BaseModel):
    name: str
    tag: str | None = None


class NewPlant(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    id: Annotated[int, Field(ge=-(2**63), lt=2**63)]
    tag: str = None


def authenticated(credentials: HTTPAuthorizationCredentials = Depends(security)):
    if credentials.credentials != os.environ["TOKEN"]:
        raise HTTPException(status_code=401, detail="Invalid token")


@app.post("/plants", response_model=Plant, response_model_exclude_none=True, dependencies=[Depends(authenticated)])
def create_plant(plant: NewPlant):
    plants.append(plant)
    return plant


uvicorn.run(app, port=int(os.environ["PORT"]), log_level="warning")
