/// The result of a fetch: the model, and how the fetch went.
///
/// The properties of the summary are also properties of the result: `fetched.source` is `fetched.summary.source`.
@dynamicMemberLookup
public struct Fetched<Model: Sendable>: Sendable {
  /// The model.
  public var model: Model
  /// The source of the model, the counts of its records, and further details of the fetch.
  public var summary: FetchSummary

  /// Builds a result.
  ///
  /// - Parameter summary: by default, the summary of one record from the network.
  public init(_ model: Model, _ summary: FetchSummary = FetchSummary(records: 1)) {
    self.model = model
    self.summary = summary
  }

  /// A property of the summary, such as `source`.
  @inlinable public subscript<Value>(dynamicMember path: WritableKeyPath<FetchSummary, Value>) -> Value {
    get { summary[keyPath: path] }
    set { summary[keyPath: path] = newValue }
  }
}
