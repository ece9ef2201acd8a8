import asyncio
import json
import os

import tornado.web

plants = []


class PlantsHandler(tornado.web.RequestHandler):
    def prepare(self):
        if self.request.headers.get("Authorization") != f"Bearer {os.environ['TOKEN']}":
            raise tornado.web.HTTPError(401)

    def post(self):
        data = json.loads(self.request.body)
        if not isinstance(data.get("name"), str) or not isinstance(data.get("id"), int):
            raise tornado.web.HTTPError(400, "name and id are required")
        if not isinstance(data.get("tag", ""), str):
            raise tornado.web.HTTPError(400, "tag must be a string")
        plants.append(data)
        self.write({key: data[key] for key in ("name", "tag") if key in data})


async def main():
    tornado.web.Application([("/plants", PlantsHandler)]).listen(int(os.environ["PORT"]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
