import { byBody, PROBLEM_OF, WITHOUT_NULL } from './python.js';
import { code, type Recipes } from './recipe.js';

/** aiohttp 3. */
export const aiohttp: Recipes = {
  language: 'python',
  byFinding: {
    'framework-error-page': {
      text: 'Make the middleware the first of the application.',
      code: code`
@web.middleware
async def json_failures(request, handler):
    headers = {}
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        status, message = error.status, error.reason
        headers = {name: value for name, value in error.headers.items() if not name.startswith("Content-")}
    except Exception:
        request.app.logger.exception("a request failed")
        status, message = 500, "failed"
    return web.json_response({"error": status, "message": message}, status=status, headers=headers)


app = web.Application(middlewares=[json_failures])`,
    },
    ...byBody({
      text: 'Add the middleware to the application. It checks the body before your handler reads it.',
      code: code`
${PROBLEM_OF}


@web.middleware
async def check_the_plant(request, handler):
    if request.method != "POST" or request.path != "/plants":
        return await handler(request)
    try:
        body = await request.json()
    except (ValueError, RecursionError, LookupError):
        body = None
    problem = problem_of(body)
    if problem is not None:
        return web.json_response({"error": 400, "message": problem}, status=400)
    return await handler(request)`,
    }),
    'absent-tag-is-null': WITHOUT_NULL,
  },
};
