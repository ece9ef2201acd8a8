import os

from bottle import Bottle, abort, request, run

app = Bottle()
plants = []


@app.post("/plants")
def create_plant():
    if request.get_header("Authorization") != f"Bearer {os.environ['TOKEN']}":
        abort(401, "Unauthorized")
    data = request.json
    if not isinstance(data.get("name"), str) or not isinstance(data.get("id"), int):
        abort(400, "name and id are required")
    if not isinstance(data.get("tag", ""), str):
        abort(400, "tag must be a string")
    plants.append(data)
    return {key: data[key] for key in ("name", "tag") if key in data}


run(app, host="127.0.0.1", port=int(os.environ["PORT"]), quiet=True)
