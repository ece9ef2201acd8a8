import os

from flask import Flask, abort, jsonify, request
from werkzeug.exceptions import HTTPException

app = Flask(__name__)
plants = []


@app.errorhandler(HTTPException)
def on_http_exception(error):
    headers = [(name, value) for name, value in error.get_headers() if name != "Content-Type"]
    return {"error": error.code, "message": error.description}, error.code, headers


def problem_of(body):
    """What is wrong with a body. None if it is a NewPlant."""
    if not isinstance(body, dict):
        return "the body must be a JSON object"
    if not isinstance(body.get("name"), str):
        return '"name" must be a string'
    # True is an int to Python, and its integers have no bounds.
    if type(body.get("id")) is not int or not -(2**63) <= body["id"] < 2**63:
        return '"id" must be an int64'
    if "tag" in body and not isinstance(body["tag"], str):
        return '"tag" must be a string'
    return None


@app.before_request
def check_the_plant():
    if request.method != "POST" or request.path != "/plants":
        return None
    problem = problem_of(request.get_json(silent=True))
    return None if problem is None else ({"error": 400, "message": problem}, 400)


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
