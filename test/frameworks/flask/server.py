import os

from flask import Flask, abort, jsonify, request

app = Flask(__name__)
plants = []


@app.post("/plants")
def create_plant():
    if request.headers.get("Authorization") != f"Bearer {os.environ['TOKEN']}":
        abort(401)
    data = request.get_json()
    if not isinstance(data.get("name"), str):
        abort(400, "name must be a string")
    if not isinstance(data.get("id"), int):
        abort(400, "id must be an integer")
    if "tag" in data and not isinstance(data["tag"], str):
        abort(400, "tag must be a string")
    plants.append(data)
    plant = {"name": data["name"]}
    if "tag" in data:
        plant["tag"] = data["tag"]
    return jsonify(plant)


app.run(port=int(os.environ["PORT"]))
