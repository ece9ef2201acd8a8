import os

from flask import Flask, abort, jsonify, request
from werkzeug.exceptions import HTTPException

app = Flask(__name__)
plants = []


@app.errorhandler(HTTPException)
def on_http_exception(error):
    headers = [(name, value) for name, value in error.get_headers() if name != "Content-Type"]
    return {"error": error.code, "message": error.description}, error.code, headers


def is_new_plant(body):
    return (
        isinstance(body, dict)
        and isinstance(body.get("name"), str)
        and type(body.get("id")) is int  # isinstance() takes True for an int.
        and -(2**63) <= body["id"] < 2**63
        and isinstance(body.get("tag", ""), str)
    )


def new_plant():
    try:
        body = request.get_json(silent=True)
    except RecursionError:
        return None
    return body if is_new_plant(body) else None


@app.post("/plants")
def create_plant():
    if request.headers.get("Authorization") != f"Bearer {os.environ['TOKEN']}":
        abort(401)
    data = new_plant()
    if data is None:
        abort(400, "name must be a string, id an int64, and tag a string or missing")
    plants.append(data)
    plant = {"name": data["name"]}
    if "tag" in data:
        plant["tag"] = data["tag"]
    return jsonify(plant)


app.run(port=int(os.environ["PORT"]))
