import os
from dataclasses import dataclass

from sanic import Sanic, json
from sanic.exceptions import Unauthorized
from sanic_ext import validate

app = Sanic("plants")
plants = []


@dataclass
class NewPlant:
    name: str
    id: int
    tag: str | None = None


@app.on_request
async def authenticate(request):
    if request.token != os.environ["TOKEN"]:
        raise Unauthorized("Unauthorized")


@app.post("/plants")
@validate(json=NewPlant)
async def create_plant(request, body: NewPlant):
    plants.append(body)
    return json({"name": body.name} if body.tag is None else {"name": body.name, "tag": body.tag})


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(os.environ["PORT"]), single_process=True)
