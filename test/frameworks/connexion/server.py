import os

import connexion

plants = []


def check_token(token):
    return {"sub": "client"} if token == os.environ["TOKEN"] else None


def create_plant(body):
    plants.append(body)
    return {key: body[key] for key in ("name", "tag") if key in body}


class Resolver(connexion.resolver.Resolver):
    def resolve_operation_id(self, operation):
        return "server.create_plant"


os.environ["BEARERINFO_FUNC"] = "server.check_token"
app = connexion.FlaskApp(__name__)
app.add_api(os.environ["OPENAPI"], resolver=Resolver())

if __name__ == "__main__":
    app.run(port=int(os.environ["PORT"]), log_level="warning")
