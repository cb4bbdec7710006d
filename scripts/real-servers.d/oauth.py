"""An OAuth2 authorization server and an API that wants its tokens, out of Authlib: for gunicorn, with the client's
secret in OAUTH_SECRET and a first refresh token in OAUTH_REFRESH_TOKEN; whatever is written behind that is another
first one, so that nobody spends the other's.

`POST /token` knows the grants client_credentials and refresh_token; a refresh token is good once, and each response brings
a new one. `POST /revoke` takes tokens back (RFC 7009). `GET /api/whoami` says whose token is shown, `GET /api/orders`
wants one with the scope `orders`.
"""

import os
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6749.models import ClientMixin, TokenMixin
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from flask import Flask, jsonify


class Client(ClientMixin):
    client_id = "reactor"

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(one for one in (scope or "").split() if one in ("orders", "customers"))

    def check_redirect_uri(self, redirect_uri):
        return False

    def check_client_secret(self, client_secret):
        return client_secret == os.environ["OAUTH_SECRET"]

    def check_endpoint_auth_method(self, method, endpoint):
        return method in ("client_secret_basic", "client_secret_post")

    def check_response_type(self, response_type):
        return False

    def check_grant_type(self, grant_type):
        return grant_type in ("client_credentials", "refresh_token")


class Token(TokenMixin):
    def __init__(self, token, grant):
        self.access, self.refresh = token.get("access_token"), token.get("refresh_token")
        self.scope, self.grant = token.get("scope", ""), grant
        self.ends, self.revoked = time.time() + token.get("expires_in", 3600), False

    def check_client(self, client):
        return True

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return int(self.ends - time.time())

    def is_expired(self):
        return time.time() > self.ends

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return "shop"

    def get_client(self):
        return client


client = Client()
tokens = []


def known(refresh_token):
    found = next((one for one in tokens if one.refresh == refresh_token), None)
    if not found and refresh_token.startswith(os.environ["OAUTH_REFRESH_TOKEN"]):
        found = Token({"refresh_token": refresh_token, "scope": "orders customers"}, "first")
        tokens.append(found)
    return found


class RefreshToken(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        found = known(refresh_token)
        return found if found and not found.revoked else None

    def authenticate_user(self, refresh_token):
        return "shop"

    def revoke_old_credential(self, refresh_token):
        refresh_token.revoked = True


class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]

    def query_token(self, token_string, token_type_hint):
        return next((one for one in tokens if token_string in (one.access, one.refresh)), None)

    def revoke_token(self, token, request):
        token.revoked = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return next((one for one in tokens if one.access == token_string), None)


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(
    app,
    query_client=lambda client_id: client if client_id == client.client_id else None,
    save_token=lambda token, request: tokens.append(Token(token, request.payload.grant_type)),
)
server.register_grant(ClientCredentials)
server.register_grant(RefreshToken)
server.register_endpoint(Revocation)
protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response("revocation")


@app.get("/health")
def health():
    return jsonify(ok=True)


@app.get("/api/whoami")
@protected()
def whoami():
    return jsonify(client=client.client_id, grant=current_token.grant, scope=current_token.scope.split())


@app.get("/api/orders")
@protected("orders")
def orders():
    return jsonify(data=[{"id": number, "amount": f"{number}.50"} for number in range(1, 31)])
