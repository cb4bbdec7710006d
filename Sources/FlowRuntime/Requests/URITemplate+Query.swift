internal import ByteCodings
package import WebSyntax

/// Why the braces of a path cannot be filled in.
package struct BracesError: Error, Sendable {
  package let message: String
  /// The parameter that is at fault; nil where it is the path.
  package var param: String?
}

extension URITemplate {
  /// The same of a template as text.
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

  /// The path with its braces filled in, and the query that they give, plain again.
  ///
  /// - Throws: for an empty value in the path, which would make it another one.
  package func expanded(
    with values: [String: [String]]
  ) throws(BracesError) -> (path: String, query: [(name: String, value: String)]) {
    for name in pathNames.sorted() where values[name].map({ $0.isEmpty || $0.contains("") }) ?? false {
      throw BracesError(message: "'params.\(name)' is empty, and the path would be another one", param: name)
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
