use actix_web::{error, post, web, App, HttpServer, Responder};
use actix_web_httpauth::extractors::bearer::BearerAuth;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[allow(dead_code)]
struct NewPlant {
    name: String,
    id: i64,
    tag: Option<String>,
}

#[derive(Serialize)]
struct Plant {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
}

#[post("/plants")]
async fn create_plant(auth: BearerAuth, plant: web::Json<NewPlant>) -> actix_web::Result<impl Responder> {
    if auth.token() != std::env::var("TOKEN").unwrap() {
        return Err(error::ErrorUnauthorized("unauthorized"));
    }
    let NewPlant { name, tag, .. } = plant.into_inner();
    Ok(web::Json(Plant { name, tag }))
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let port = std::env::var("PORT").unwrap().parse().unwrap();
    HttpServer::new(|| App::new().service(create_plant))
        .workers(2)
        .bind(("127.0.0.1", port))?
        .run()
        .await
}
