internal import ByteCodings
package import WebSyntax

/// An error about the braces of a path (RFC 6570): the path is invalid, or a value cannot be filled in.
package struct BracesError: Error, Sendable {
  package let message: String
  /// The name of the invalid parameter; nil when the path itself is invalid.
  package var param: String?
}

extension URITemplate {
  /// Fills in the braces of a template given as text.
  package static func expanding(
    _ text: String, with values: [String: [String]]
  ) throws(BracesError) -> (path: String, query: [(name: String, value: String)]) {
    let template: URITemplate
    do throws(URITemplateError) {
      template = try URITemplate(text)
    } catch {
      throw BracesError(message: "\(error)")
    }
    return try template.expanded(with: values)
  }

  /// Fills in the values for the braces of the path.
  ///
  /// - Returns: the path, and the query parameters from the braces, percent-decoded
  ///
  /// - Throws: for an empty value in the path, because the path would then name another resource.
  package func expanded(
    with values: [String: [String]]
  ) throws(BracesError) -> (path: String, query: [(name: String, value: String)]) {
    for name in pathNames.sorted() where values[name].map({ $0.isEmpty || $0.contains("") }) ?? false {
      throw BracesError(message: "'params.\(name)' is empty, so the path would lead to another resource", param: name)
    }
    let whole: String
    do throws(URITemplateError) {
      whole = try expand { name in values[name].map { $0.count == 1 ? .text($0[0]) : .list($0) } }
    } catch {
      throw BracesError(message: "\(error)")
    }
    let parts = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? parts[1].split(separator: "&") : []
    return (
      String(parts[0]),
      query.map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
          PercentCoding.decode($0)
        }
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }
    )
  }
}
