internal import JSONSyntax
internal import ReactorCore

/// A successful response to a request for a token.
struct TokenResponse: Sendable {
  let headers: Headers
  let body: [UInt8]
}

/// Asks for tokens: small responses, and errors that say where and what.
struct TokenRequest: Sendable {
  /// The largest response that is read, in bytes.
  static let largestResponse = 1 << 20

  /// Called with the first request, because it may open a library.
  let connection: @Sendable () throws(ReactorError) -> any Connection
  /// Method and URL without query, secrets masked.
  let shown: String

  /// Sends the request; statuses 200 to 299 are taken.
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

  /// Maps a response; a body that is not JSON counts as null, as where a login gives its token in a header.
  ///
  /// - Throws: what does not fit and where; it never quotes the body, which may hold a token.
  func read<Model>(_ response: TokenResponse, by mapping: ModelMapping<Model>) throws(ReactorError) -> Model {
    let body = (try? JSONValue(parsing: response.body)) == nil ? Array("null".utf8) : response.body
    do throws(ReactorError) {
      return try Parser(mapping, limit: Self.largestResponse).parse(body).model
    } catch {
      throw failure(error.message, like: error)
    }
  }

  /// An error that names the request.
  func failure(_ message: String, like error: ReactorError = .parser("")) -> ReactorError {
    var error = error
    error.message = "no token: \(shown): \(message)"
    return error
  }

  /// `error` and `error_description` (RFC 6749, section 5.2), else the beginning of the response.
  private static func reason(_ body: [UInt8]) -> String {
    let json = try? JSONValue(parsing: body)
    if let code = json?["error"]?.string {
      return line(code) + (json?["error_description"]?.string.map { ": \(line($0))" } ?? "")
    }
    return line(String(decoding: body.prefix(800), as: UTF8.self))
  }

  /// The beginning of a text on one line, free of what could move a terminal's cursor.
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
