#include <cstdlib>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <vector>

using nlohmann::json;

int main() {
  httplib::Server server;
  std::vector<json> plants;
  std::mutex mutex;
  const std::string right = std::string("Bearer ") + std::getenv("TOKEN");

  server.Post("/plants", [&](const httplib::Request &request, httplib::Response &response) {
    if (request.get_header_value("Authorization") != right) {
      response.status = 401;
      return response.set_content(R"({"error":401,"message":"Unauthorized"})", "application/json");
    }
    try {
      const json data = json::parse(request.body);
      json plant = {{"name", data.at("name").get<std::string>()}};
      data.at("id").get<int64_t>();
      if (data.contains("tag")) plant["tag"] = data["tag"].get<std::string>();
      std::lock_guard<std::mutex> lock(mutex);
      plants.push_back(data);
      response.set_content(plant.dump(), "application/json");
    } catch (const json::exception &error) {
      response.status = 400;
      response.set_content(json{{"error", 1}, {"message", error.what()}}.dump(), "application/json");
    }
  });

  server.listen("127.0.0.1", std::atoi(std::getenv("PORT")));
}
