/// A collection of requests from a program in which people send requests by hand, such as Postman.
struct RequestCollection {
  /// How requests with other methods than GET, HEAD and OPTIONS are imported.
  enum Writes {
    /// These requests are not imported, because a run would change data on the server; they are recorded as losses.
    case leftOut
    /// These requests become flows with the tag `writes`.
    case included
  }

  var description: String?
  var requests: [CollectedRequest] = []
  /// Losses of the file and of its folders.
  var losses: [Loss] = []

  /// A part of the file, of a folder or of a request that is not carried over.
  struct Loss {
    let kind: ImportReport.Kind
    let what: String
    let needs: String
    let origin: OutputMapping.Origin
  }
}

/// A request of a collection. Its texts contain variables in the notation of the program that wrote the collection.
struct CollectedRequest {
  /// A name with a value.
  struct Pair {
    let name: String
    let value: String
    let origin: OutputMapping.Origin
  }

  /// The body.
  enum Body {
    case none
    /// A text, and the media type that the program sends by itself; nil for none.
    case text(String, mediaType: String?)
    case form([Pair])
    case graphql(query: String, variables: String?, operation: String?)
    /// A body that a flow cannot send: what it is, and what it would need.
    case unknown(String, needs: String)
  }

  /// A response that was saved with the request.
  struct Example {
    let name: String
    let status: Int
    let headers: [(name: String, value: String)]
    let body: String
  }

  let name: String
  let origin: OutputMapping.Origin
  let scope: VariableScope
  /// The names of the folders, from the outermost.
  var folders: [String] = []
  var description: String?
  var method = "GET"
  /// The URL, its query included.
  var url = ""
  /// Values of `:name` in the path.
  var pathValues: [Pair] = []
  /// Whether slashes in the path values separate segments of the path.
  var pathValuesHaveSlashes = false
  /// Whether the program escapes characters that a URL cannot contain.
  var encodesURL = true
  /// Query parameters in addition to those in the URL.
  var query: [Pair] = []
  var headers: [Pair] = []
  var body = Body.none
  var bodyOrigin: OutputMapping.Origin?
  var auth = CollectedAuth.none
  var authOrigin: OutputMapping.Origin?
  var followsRedirects = true
  var examples: [Example] = []
  /// Losses that concern only this request.
  var losses: [RequestCollection.Loss] = []
  /// Whether a part of the request's folder that could not be imported changes the behaviour of the request.
  var isAffected = false
}

/// How requests of a collection are authorized.
enum CollectedAuth {
  /// A part of a request.
  enum Location { case header, query }

  case none
  case bearer(token: String, prefix: String)
  case basic(username: String, password: String)
  case key(Location, name: String, value: String)
  case oauth(CollectedOAuth)
  case digest(username: String, password: String)
  case oauth1(CollectedOAuth1)
  case aws(CollectedSignature)
  case jwt(CollectedToken)
  /// A kind of authorization that flows do not support: its name, and what it would need.
  case unknown(String, needs: String)
}

/// An authorization by OAuth 2.
struct CollectedOAuth {
  /// How the token is obtained.
  enum Grant { case clientCredentials, password, refreshToken }

  var grant = Grant.clientCredentials
  var tokenURL = ""
  var clientID = ""
  var clientSecret = ""
  var username = ""
  var password = ""
  var scope = ""
  var audience = ""
  /// Whether the client's credentials are sent in the form.
  var sendsClientInBody = false
  var location = CollectedAuth.Location.header
  var prefix = "Bearer"
  /// Additional pairs in the token request.
  var parameters: [CollectedRequest.Pair] = []
}

/// A signature of OAuth 1.0.
struct CollectedOAuth1 {
  var consumerKey = ""
  var consumerSecret = ""
  var token = ""
  var tokenSecret = ""
  /// The signature method, by its name in the program; empty for the default of the program.
  var method = ""
  var realm = ""

  /// The authorization with this signature; an unsupported one if flows do not have its method.
  var auth: CollectedAuth {
    ["", "HMAC-SHA1", "HMAC-SHA256", "PLAINTEXT"].contains(method)
      ? .oauth1(self) : .unknown("oauth1 with \(method)", needs: "HMAC-SHA1, HMAC-SHA256 or PLAINTEXT")
  }
}

/// A signature for AWS.
struct CollectedSignature {
  var service = ""
  var region = ""
  var accessKey = ""
  var secretKey = ""
  var sessionToken = ""
}

/// A token that is signed with a key.
struct CollectedToken {
  var algorithm = "HS256"
  var key = ""
  var isBase64 = false
  /// The claims of the token, as JSON. `header` has the additional members of its header, also as JSON.
  var claims = "{}"
  var header = "{}"
  var location = CollectedAuth.Location.header
  var prefix = "Bearer"
  var parameter = "token"
}
