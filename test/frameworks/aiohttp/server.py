import os

from aiohttp import web

routes = web.RouteTableDef()
plants = []


@routes.post("/plants")
async def create_plant(request):
    if request.headers.get("Authorization") != f"Bearer {os.environ['TOKEN']}":
        raise web.HTTPUnauthorized()
    data = await request.json()
    if not isinstance(data.get("name"), str) or not isinstance(data.get("id"), int):
        return web.json_response({"error": 1, "message": "name and id are required"}, status=400)
    if not isinstance(data.get("tag", ""), str):
        return web.json_response({"error": 2, "message": "tag must be a string"}, status=400)
    plants.append(data)
    plant = {"name": data["name"]}
    if "tag" in data:
        plant["tag"] = data["tag"]
    return web.json_response(plant)


app = web.Application()
app.add_routes(routes)
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
