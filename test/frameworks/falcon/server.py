import os

import falcon
import falcon.asgi
import uvicorn
from falcon.media.validators import jsonschema

plants = []
schema = {
    "type": "object",
    "required": ["name", "id"],
    "properties": {"name": {"type": "string"}, "id": {"type": "integer"}, "tag": {"type": "string"}},
}


class PlantsResource:
    @jsonschema.validate(schema)
    async def on_post(self, req, resp):
        if req.get_header("Authorization") != f"Bearer {os.environ['TOKEN']}":
            raise falcon.HTTPUnauthorized()
        plant = await req.get_media()
        plants.append(plant)
        resp.media = {key: plant[key] for key in ("name", "tag") if key in plant}


app = falcon.asgi.App()
app.add_route("/plants", PlantsResource())
uvicorn.run(app, port=int(os.environ["PORT"]), log_level="warning")
