import Foundation
import JSONSyntax

/// A search for repositories in GitHub's format, with two results on each of two pages.
enum RepositoryIndex {
  /// The body of the response; nil for the query `broken`, which always fails.
  static func body(query: String, page: Int) -> String? {
    guard query != "broken" else { return nil }
    let names = (1...2).contains(page) ? ["\(query)-\(page)a", "\(query)-\(page)b"] : []
    return String(
      decoding: JSONWriter.bytes(
        .object([
          "total_count": .integer(4),
          "items": .array(names.map { .object(["full_name": .string("demo/\($0)")]) }),
        ])), as: UTF8.self)
  }
}
