package plants

import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.install
import io.ktor.server.auth.Authentication
import io.ktor.server.auth.UserIdPrincipal
import io.ktor.server.auth.authenticate
import io.ktor.server.auth.bearer
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.request.receive
import io.ktor.server.response.respond
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.serialization.Serializable

@Serializable
data class NewPlant(val name: String, val id: Long, val tag: String? = null)

@Serializable
data class Plant(val name: String, val tag: String? = null)

val plants = CopyOnWriteArrayList<NewPlant>()

fun main() {
    embeddedServer(Netty, host = "127.0.0.1", port = System.getenv("PORT").toInt()) {
        install(ContentNegotiation) { json() }
        install(Authentication) {
            bearer("token") {
                authenticate { if (it.token == System.getenv("TOKEN")) UserIdPrincipal("client") else null }
            }
        }
        routing {
            authenticate("token") {
                post("/plants") {
                    val plant = call.receive<NewPlant>()
                    plants.add(plant)
                    call.respond(Plant(plant.name, plant.tag))
                }
            }
        }
    }.start(wait = true)
}
