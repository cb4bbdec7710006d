internal import JSONSyntax
internal import ReactorCore

/// A successful response to a request for a token.
struct TokenResponse: Sendable {
  let headers: Headers
  let body: [UInt8]
}

/// Requests tokens. Responses are small, and errors name the request and the problem.
struct TokenRequest: Sendable {
  /// The maximum size of a response, in bytes.
  static let largestResponse = 1 << 20

  /// Returns the connection. It is called only with the first request, because it may load a library.
  let connection: @Sendable () throws(ReactorError) -> any Connection
  /// The method and the URL without its query, with secrets masked.
  let shown: String

  /// Sends the request; only the statuses 200 to 299 are accepted.
  func response(to resource: Resource) async throws(ReactorError) -> TokenResponse {
    let response: Response
    let body: [UInt8]
    do throws(ReactorError) {
      response = try await connection().response(for: resource)
      body = try await response.body.collect(upTo: Self.largestResponse)
    } catch {
      if error.kind == .cancelled { throw error }
      throw failure(error.message, like: error)
    }
    guard (200...299).contains(response.status) else {
      let reason = Self.reason(body)
      throw failure(
        "the server answered with status \(response.status)" + (reason.isEmpty ? "" : ": \(reason)"),
        like: .server("", status: response.status))
    }
    return TokenResponse(headers: response.headers, body: body)
  }

  /// Maps a response.
  ///
  /// A body that is not JSON counts as null. A login that returns its token in a header may have such a body.
  ///
  /// - Throws: the value that does not match and its path. The error never quotes the body, which may contain a token.
  func read<Model>(_ response: TokenResponse, by mapping: ModelMapping<Model>) throws(ReactorError) -> Model {
    let body = (try? JSONValue(parsing: response.body)) == nil ? Array("null".utf8) : response.body
    do throws(ReactorError) {
      return try Parser(mapping, limit: Self.largestResponse).parse(body).model
    } catch {
      throw failure(error.message, like: error)
    }
  }

  /// Returns an error whose message names the request.
  func failure(_ message: String, like error: ReactorError = .parser("")) -> ReactorError {
    var error = error
    error.message = "no token: \(shown): \(message)"
    return error
  }

  /// Returns `error` and `error_description` (RFC 6749, section 5.2), else the beginning of the response.
  private static func reason(_ body: [UInt8]) -> String {
    let json = try? JSONValue(parsing: body)
    if let code = json?["error"]?.string {
      return line(code) + (json?["error_description"]?.string.map { ": \(line($0))" } ?? "")
    }
    return line(String(decoding: body.prefix(800), as: UTF8.self))
  }

  /// Returns the beginning of a text on one line, without characters that could move a terminal's cursor.
  private static func line(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
        if result.last != " ", !result.isEmpty { result.append(" ") }
      case .format, .surrogate, .unassigned, .privateUse: continue
      default: result.append(scalar)
      }
      if result.count >= 200 { return String(result) + "…" }
    }
    return String(result)
  }
}
