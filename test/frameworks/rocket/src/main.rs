use rocket::http::Status;
use rocket::request::{FromRequest, Outcome, Request};
use rocket::serde::{json::Json, Deserialize, Serialize};
use rocket::{launch, post, routes};

#[derive(Deserialize)]
#[serde(crate = "rocket::serde")]
#[allow(dead_code)]
struct NewPlant {
    name: String,
    id: i64,
    tag: Option<String>,
}

#[derive(Serialize)]
#[serde(crate = "rocket::serde")]
struct Plant {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
}

struct Client;

#[rocket::async_trait]
impl<'r> FromRequest<'r> for Client {
    type Error = ();

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, Self::Error> {
        let right = format!("Bearer {}", std::env::var("TOKEN").unwrap());
        match request.headers().get_one("Authorization") {
            Some(value) if value == right => Outcome::Success(Client),
            _ => Outcome::Error((Status::Unauthorized, ())),
        }
    }
}

#[post("/plants", data = "<plant>")]
fn create_plant(_client: Client, plant: Json<NewPlant>) -> Json<Plant> {
    let NewPlant { name, tag, .. } = plant.into_inner();
    Json(Plant { name, tag })
}

#[launch]
fn rocket() -> _ {
    let port: u16 = std::env::var("PORT").unwrap().parse().unwrap();
    rocket::custom(rocket::Config::figment().merge(("port", port)).merge(("log_level", "off")))
        .mount("/", routes![create_plant])
}
