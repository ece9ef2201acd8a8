import { byBody, PROBLEM_OF, WITHOUT_NULL } from './python.js';
import { code, type Recipes } from './recipe.js';

/** Flask 3. */
export const flask: Recipes = {
  language: 'python',
  byFinding: {
    'framework-error-page': {
      text: 'Put this after app = Flask(__name__). It covers exceptions that nothing catches too.',
      code: code`
from werkzeug.exceptions import HTTPException


@app.errorhandler(HTTPException)
def on_http_exception(error):
    headers = [(name, value) for name, value in error.get_headers() if name != "Content-Type"]
    return {"error": error.code, "message": error.description}, error.code, headers`,
    },
    ...byBody({
      text: 'Put this after app = Flask(__name__). It checks the body before your view reads it.',
      code: code`
${PROBLEM_OF}


@app.before_request
def check_the_plant():
    if request.method != "POST" or request.path != "/plants":
        return None
    problem = problem_of(request.get_json(silent=True))
    return None if problem is None else ({"error": 400, "message": problem}, 400)`,
    }),
    'absent-tag-is-null': WITHOUT_NULL,
  },
};
