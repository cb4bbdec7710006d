public import Expressions
public import JSONSyntax

/// Several of the parent's records in one request.
public struct RequestBatch: Sendable {
  /// The locations of the results of a batch's records in a response.
  public struct Results: Sendable {
    /// The path to the list of results: one result for each record, in the order of the records.
    public var path: Located<JSONPath>
    /// The condition, over `result`, that is true if the server rejected the record.
    public var failed: Located<Expression>
    /// The expression for the reason of a rejection, as text. If it is nil, the result itself is the reason.
    public var reason: Located<Expression>?

    /// Creates the locations of results.
    public init(path: Located<JSONPath>, failed: Located<Expression>, reason: Located<Expression>?) {
      self.path = path
      self.failed = failed
      self.reason = reason
    }
  }

  /// The maximum number of records in one request, at least 1.
  public var size: Int
  /// The results in the response. If it is nil, a batch succeeds or fails as a whole.
  public var results: Results?

  /// Creates batches.
  public init(size: Int, results: Results? = nil) {
    self.size = size
    self.results = results
  }
}
