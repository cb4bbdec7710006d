/// The steps of a flow, in the order in which they are taken.
public enum FlowStep: String, Sendable, Hashable, CaseIterable {
  /// Reading the persisted result.
  case load
  /// The reachability check.
  case reach
  /// The request: from asking until the body's verified end.
  case request
  /// From bytes to the model; overlaps the request when the body is read as a stream.
  case parse
  /// Saving the model.
  case save
}
