import os
import sys

from django.conf import settings

settings.configure(
    SECRET_KEY="a",
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["*"],
    INSTALLED_APPS=["django.contrib.staticfiles", "rest_framework"],
    STATIC_URL="static/",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    REST_FRAMEWORK={"UNAUTHENTICATED_USER": None},
)

import django

django.setup()

from django.urls import path
from rest_framework import authentication, exceptions, permissions, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

plants = []


class BearerAuthentication(authentication.BaseAuthentication):
    def authenticate(self, request):
        header = authentication.get_authorization_header(request).split()
        if len(header) != 2 or header[0].lower() != b"bearer":
            return None
        if header[1].decode() != os.environ["TOKEN"]:
            raise exceptions.AuthenticationFailed("Invalid token.")
        return ("client", header[1])

    def authenticate_header(self, request):
        return "Bearer"


class HasToken(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.auth is not None


class PlantSerializer(serializers.Serializer):
    name = serializers.CharField()
    id = serializers.IntegerField(write_only=True)
    tag = serializers.CharField(required=False)


class PlantList(APIView):
    authentication_classes = [BearerAuthentication]
    permission_classes = [HasToken]

    def post(self, request):
        serializer = PlantSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        plants.append(serializer.validated_data)
        return Response({key: value for key, value in serializer.validated_data.items() if key != "id"})


urlpatterns = [path("plants", PlantList.as_view())]

if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    execute_from_command_line([sys.argv[0], "runserver", "--noreload", f"127.0.0.1:{os.environ['PORT']}"])
