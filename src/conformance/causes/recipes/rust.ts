import { code, type Recipes } from './recipe.js';

/** A NewPlant that serde reads from nothing but an object, with a tag that is never null. */
const NEW_PLANT = code`
/// serde also reads a struct from an array of its values. This one is read from an object only.
#[derive(Deserialize)]
#[serde(try_from = "serde_json::Map<String, serde_json::Value>")]
struct NewPlant {
    name: String,
    id: i64,
    tag: Option<String>,
}

impl TryFrom<serde_json::Map<String, serde_json::Value>> for NewPlant {
    type Error = serde_json::Error;

    fn try_from(members: serde_json::Map<String, serde_json::Value>) -> Result<Self, Self::Error> {
        #[derive(Deserialize)]
        struct Members {
            name: String,
            id: i64,
            #[serde(default, deserialize_with = "not_null")]
            tag: Option<String>,
        }
        let Members { name, id, tag } = serde_json::from_value(members.into())?;
        Ok(NewPlant { name, id, tag })
    }
}

/// Called only if there is a tag: a string, and not null.
fn not_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}`;

const byModel = {
  'null-counts-as-missing': { text: 'With this type, a tag of null is no missing tag.', code: NEW_PLANT },
  'request/body-is-an-object': { text: 'Read this type from the body.', code: NEW_PLANT },
  'absent-tag-is-null': {
    text: 'Leave out a tag that is None.',
    code: code`
#[derive(Serialize)]
struct Plant {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
}`,
  },
};

/** axum 0.8 with serde. */
export const axum: Recipes = {
  language: 'rust',
  byFinding: {
    'framework-error-page': {
      text: 'Make it the last layer of the router: .layer(axum::middleware::from_fn(json_failures)).',
      code: code`
/// Replaces each failure that is not JSON by an Error.
async fn json_failures(request: axum::extract::Request, next: axum::middleware::Next) -> axum::response::Response {
    use axum::{http::header, response::IntoResponse};

    let response = next.run(request).await;
    let status = response.status();
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value == "application/json");
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let message = status.canonical_reason().unwrap_or("failed");
    let error = serde_json::json!({ "error": status.as_u16(), "message": message });
    let mut failure = (status, axum::Json(error)).into_response();
    for name in [header::ALLOW, header::WWW_AUTHENTICATE] {
        if let Some(value) = response.headers().get(&name) {
            failure.headers_mut().insert(name, value.clone());
        }
    }
    failure
}`,
    },
    ...byModel,
  },
};

/** actix-web 4 with serde. */
export const actix: Recipes = {
  language: 'rust',
  byFinding: {
    'framework-error-page': {
      text: 'Wrap the application: App::new().wrap(actix_web::middleware::ErrorHandlers::new().default_handler(json_failure)).',
      code: code`
/// Replaces a failure that is not JSON by an Error.
fn json_failure<B>(
    response: actix_web::dev::ServiceResponse<B>,
) -> actix_web::Result<actix_web::middleware::ErrorHandlerResponse<B>> {
    use actix_web::{dev::ServiceResponse, http::header, middleware::ErrorHandlerResponse, HttpResponse};

    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value == "application/json");
    if is_json {
        return Ok(ErrorHandlerResponse::Response(response.map_into_left_body()));
    }
    let (request, response) = response.into_parts();
    let status = response.status();
    let message = status.canonical_reason().unwrap_or("failed");
    let error = serde_json::json!({ "error": status.as_u16(), "message": message });
    let mut failure = HttpResponse::build(status).json(error);
    for name in [header::ALLOW, header::WWW_AUTHENTICATE] {
        if let Some(value) = response.headers().get(&name) {
            failure.headers_mut().insert(name, value.clone());
        }
    }
    Ok(ErrorHandlerResponse::Response(ServiceResponse::new(request, failure).map_into_right_body()))
}`,
    },
    ...byModel,
  },
};
