use serde::{Deserialize, Serialize};
use warp::Filter;

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

#[tokio::main]
async fn main() {
    let right = format!("Bearer {}", std::env::var("TOKEN").unwrap());
    let right: &'static str = Box::leak(right.into_boxed_str());
    let create_plant = warp::post()
        .and(warp::path!("plants"))
        .and(warp::header::exact("authorization", right))
        .and(warp::body::content_length_limit(1024 * 64))
        .and(warp::body::json())
        .map(|plant: NewPlant| warp::reply::json(&Plant { name: plant.name, tag: plant.tag }));
    let port: u16 = std::env::var("PORT").unwrap().parse().unwrap();
    warp::serve(create_plant).run(([127, 0, 0, 1], port)).await;
}
