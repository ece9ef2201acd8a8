import { byBody, PROBLEM_OF, WITHOUT_NULL } from './python.js';
import { code, type Recipes } from './recipe.js';

/** Django 5. */
export const django: Recipes = {
  language: 'python',
  byFinding: {
    'framework-error-page': {
      text: 'Put the class first in MIDDLEWARE, so that it sees the failures of the others too.',
      code: code`
import json


class JsonFailures:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        if response.status_code < 400 or response.headers.get("Content-Type") == "application/json":
            return response
        error = {"error": response.status_code, "message": response.reason_phrase}
        response.content = json.dumps(error)
        response["Content-Type"] = "application/json"
        response["Content-Length"] = str(len(response.content))
        return response`,
    },
    ...byBody({
      text: 'Put the decorator before your view, beneath csrf_exempt. It checks the body before the view reads it.',
      code: code`
import functools
import json

from django.http import JsonResponse


${PROBLEM_OF}


def checks_the_plant(view):
    @functools.wraps(view)
    def checked(request):
        try:
            body = json.loads(request.body)
        except (ValueError, RecursionError):
            body = None
        problem = problem_of(body)
        return view(request) if problem is None else JsonResponse({"error": 400, "message": problem}, status=400)

    return checked`,
    }),
    'absent-tag-is-null': WITHOUT_NULL,
  },
};
