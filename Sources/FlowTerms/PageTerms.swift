public import Expressions
public import JSONSyntax

/// The locations of page numbers, offsets, tokens and URLs in responses and requests.
public enum PageTerms {
  /// The location of the next page's token or URL in a response.
  public enum Source: Sendable, Hashable {
    /// A member of the response body outside the records.
    case response(JSONPath)
    /// A response header.
    case header(String)
    /// A member of the page's last record.
    case lastRecord(JSONPath)
    /// The result of an expression over the response. A null result means that there is no next page.
    case expression(Expression)
  }

  /// The location of the page's number, offset or token in a request.
  public enum Location: Sendable, Hashable {
    /// A query parameter. An existing parameter of this name is replaced.
    case query(String)
    /// A request header.
    case header(String)
    /// A member of the JSON body, given by the path steps that lead to it.
    case body([JSONPath.Step])
  }
}
