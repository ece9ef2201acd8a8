import os

import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

app = FastAPI()
security = HTTPBearer()
plants = []


class Plant(BaseModel):
    name: str
    tag: str | None = None


class NewPlant(Plant):
    id: int


def authenticated(credentials: HTTPAuthorizationCredentials = Depends(security)):
    if credentials.credentials != os.environ["TOKEN"]:
        raise HTTPException(status_code=401, detail="Invalid token")


@app.post("/plants", response_model=Plant, response_model_exclude_none=True, dependencies=[Depends(authenticated)])
def create_plant(plant: NewPlant):
    plants.append(plant)
    return plant


uvicorn.run(app, port=int(os.environ["PORT"]), log_level="warning")
