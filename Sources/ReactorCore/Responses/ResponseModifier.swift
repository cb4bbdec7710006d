/// Accepts, changes or refuses a response before its body is read.
public struct ResponseModifier: Sendable {
  /// The judgement.
  public let modify: @Sendable (Response) async throws(ReactorError) -> Response

  /// A modifier from a typed closure.
  public init(_ modify: @escaping @Sendable (Response) async throws(ReactorError) -> Response) {
    self.modify = modify
  }

  /// Accepts the statuses 200 to 299: the default.
  public static var success: ResponseModifier { accepting { (200...299).contains($0) } }

  /// Accepts every response, as upstream did.
  public static var passThrough: ResponseModifier { accepting { _ in true } }

  /// Accepts some statuses and refuses the others with `.server`, the status, and the beginning of the body.
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

/// The decision of a rule: the response is accepted whatever its status, and has no records.
public enum ResponseMeaning: Sendable, Hashable {
  /// It has no records.
  case noRecords
  /// It has no records, and no more requests follow.
  case noRecordsAndEnd
}

extension ResponseModifier {
  /// The same modifier, which accepts responses that a rule has decided about.
  public var acceptingRuled: ResponseModifier {
    ResponseModifier { (response) async throws(ReactorError) -> Response in
      response.meaning == nil ? try await modify(response) : response
    }
  }
}
