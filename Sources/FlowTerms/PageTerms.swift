public import Expressions
public import JSONSyntax

/// Where the next page is named and where it is asked for.
public enum PageTerms {
  /// Where a response names its successor.
  public enum Source: Sendable, Hashable {
    /// In the text around the records.
    case response(JSONPath)
    /// In a header.
    case header(String)
    /// In the last record.
    case lastRecord(JSONPath)
    /// What an expression over the response gives; null ends the pull.
    case expression(Expression)
  }

  /// Where a request says which page is meant.
  public enum Location: Sendable, Hashable {
    /// A query parameter, replaced if it is there.
    case query(String)
    /// A header.
    case header(String)
    /// A member of the JSON body, by the steps that lead to it.
    case body([JSONPath.Step])
  }
}
