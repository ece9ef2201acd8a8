import os
from dataclasses import dataclass

import uvicorn
from litestar import Litestar, post
from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException
from litestar.handlers.base import BaseRouteHandler

plants = []


@dataclass
class NewPlant:
    name: str
    id: int
    tag: str | None = None


def has_token(connection: ASGIConnection, _: BaseRouteHandler) -> None:
    if connection.headers.get("Authorization") != f"Bearer {os.environ['TOKEN']}":
        raise NotAuthorizedException()


@post("/plants", status_code=200, guards=[has_token])
async def create_plant(data: NewPlant) -> dict[str, str]:
    plants.append(data)
    return {"name": data.name} if data.tag is None else {"name": data.name, "tag": data.tag}


uvicorn.run(Litestar([create_plant]), port=int(os.environ["PORT"]), log_level="warning")
