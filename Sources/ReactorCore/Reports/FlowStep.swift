/// The steps of a flow, in the order in which they are taken.
public enum FlowStep: String, Sendable, Hashable, CaseIterable {
  /// The look at the persisted result.
  case load
  /// The reachability check.
  case reach
  /// The request: from asking until the body's verified end.
  case request
  /// From bytes to the model; overlaps the request when the body is read as a stream.
  case parse
  /// Keeping the model.
  case save
}
