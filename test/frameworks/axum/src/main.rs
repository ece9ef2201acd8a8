use axum::{http::StatusCode, routing::post, Json, Router};
use axum_extra::headers::{authorization::Bearer, Authorization};
use axum_extra::TypedHeader;
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

async fn create_plant(
    TypedHeader(authorization): TypedHeader<Authorization<Bearer>>,
    Json(plant): Json<NewPlant>,
) -> Result<Json<Plant>, StatusCode> {
    if authorization.token() != std::env::var("TOKEN").unwrap() {
        return Err(StatusCode::UNAUTHORIZED);
    }
    Ok(Json(Plant { name: plant.name, tag: plant.tag }))
}

#[tokio::main]
async fn main() {
    let app = Router::new().route("/plants", post(create_plant));
    let address = format!("127.0.0.1:{}", std::env::var("PORT").unwrap());
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    axum::serve(listener, app).await.unwrap();
}
