internal import JSONSyntax
internal import ReactorCore

/// Asks for tokens: small answers in JSON, errors that say where and what.
struct TokenRequest: Sendable {
  /// The largest answer that is read, in bytes.
  static let largestResponse = 1 << 20

  /// A response that was taken.
  struct TokenResponse: Sendable {
    var headers: Headers
    /// Its JSON; null where it is none.
    var json: JSONValue
  }

  /// Made with the first request, because it may open a library.
  let connection: @Sendable () throws(ReactorError) -> any Connection
  /// Method and URL without query, secrets masked.
  let shown: String

  /// Sends the request; statuses 200 to 299 are taken.
  func answer(to resource: Resource) async throws(ReactorError) -> TokenResponse {
    let response: Response
    let bytes: [UInt8]
    do throws(ReactorError) {
      response = try await connection().response(for: resource)
      bytes = try await response.body.collect(upTo: Self.largestResponse)
    } catch {
      if error.kind == .cancelled { throw error }
      throw failure(error.message, like: error)
    }
    let json = try? JSONValue(parsing: bytes)
    guard (200...299).contains(response.status) else {
      let reason = Self.reason(json, bytes)
      throw failure(
        "the server answered with status \(response.status)" + (reason.isEmpty ? "" : ": \(reason)"),
        like: .server("", status: response.status))
    }
    return TokenResponse(headers: response.headers, json: json ?? .null)
  }

  /// An error that names the request.
  func failure(_ message: String, like error: ReactorError = .parser("")) -> ReactorError {
    var error = error
    error.message = "no token: \(shown): \(message)"
    return error
  }

  /// `error` and `error_description` (RFC 6749, section 5.2), else the beginning of the response.
  private static func reason(_ json: JSONValue?, _ bytes: [UInt8]) -> String {
    if let code = json?["error"]?.string {
      return line(code) + (json?["error_description"]?.string.map { ": \(line($0))" } ?? "")
    }
    return line(String(decoding: bytes.prefix(800), as: UTF8.self))
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
