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
