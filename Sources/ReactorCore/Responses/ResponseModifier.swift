/// Accepts, changes or rejects a response before its body is read.
public struct ResponseModifier: Sendable {
  /// The function that accepts, changes or rejects a response.
  public let modify: @Sendable (Response) async throws(ReactorError) -> Response

  /// Creates a modifier from a typed-throws closure.
  public init(_ modify: @escaping @Sendable (Response) async throws(ReactorError) -> Response) {
    self.modify = modify
  }

  /// Accepts the statuses 200 to 299; this is the default.
  public static var success: ResponseModifier { accepting { (200...299).contains($0) } }

  /// Accepts every response, as upstream did.
  public static var passThrough: ResponseModifier { accepting { _ in true } }

  /// Accepts some statuses and rejects all others.
  ///
  /// The error is `.server` with the status and the beginning of the body.
  public static func accepting(_ isAccepted: @escaping @Sendable (Int) -> Bool) -> ResponseModifier {
    ResponseModifier { (response) async throws(ReactorError) -> Response in
      if isAccepted(response.status) { return response }
      let excerpt = await response.body.excerpt()
      try ReactorError.checkCancellation()
      throw .server(
        "the server answered with status \(response.status)" + (excerpt.isEmpty ? "" : ": \(excerpt)"),
        status: response.status)
    }
  }
}

/// The decision of a response rule: the response is accepted whatever its status, and has no records.
public enum ResponseMeaning: Sendable, Hashable {
  /// The response has no records.
  case noRecords
  /// The response has no records, and no further request is sent.
  case noRecordsAndEnd
  /// The response has no records, and the server returns no more records of the requested range.
  case noRecordsAndCap
  /// The response has no records, because the requested page is too large.
  case noRecordsAndShrink
}

extension ResponseModifier {
  /// The same modifier, except that it accepts every response that a rule has decided about.
  public var acceptingRuled: ResponseModifier {
    ResponseModifier { (response) async throws(ReactorError) -> Response in
      response.meaning == nil ? try await modify(response) : response
    }
  }
}
