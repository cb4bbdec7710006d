/// What a rule has made of a response: it is accepted whatever its status, and holds no records.
public enum ResponseMeaning: Sendable, Hashable {
  /// It holds no records.
  case noRecords
  /// It holds no records, and nothing more is asked for.
  case noRecordsAndEnd
}

extension ResponseModifier {
  /// The same, which lets through what a rule has given a meaning.
  public var orMeaning: ResponseModifier {
    ResponseModifier { (response) async throws(ReactorError) -> Response in
      response.meaning == nil ? try await modify(response) : response
    }
  }
}
