import os

import uvicorn
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

plants = []


class NewPlant(BaseModel):
    name: str
    id: int
    tag: str | None = None


async def create_plant(request):
    if request.headers.get("Authorization") != f"Bearer {os.environ['TOKEN']}":
        raise HTTPException(401)
    try:
        plant = NewPlant.model_validate_json(await request.body())
    except ValidationError as error:
        return JSONResponse({"error": 1, "message": str(error)}, status_code=400)
    plants.append(plant)
    return JSONResponse(plant.model_dump(exclude={"id"}, exclude_none=True))


app = Starlette(routes=[Route("/plants", create_plant, methods=["POST"])])
uvicorn.run(app, port=int(os.environ["PORT"]), log_level="warning")
