import JSONSyntax
import ReactorCore

/// An article with its authors.
struct Article: Mappable {
  let title: String
  let body: String
  let authors: [Author]
  let numberOfLikes: Int64

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Article {
    Article(
      title: try json.stringField("title"), body: try json.stringField("body"),
      authors: try json.modelsField("authors"), numberOfLikes: try json.integerField("numberOfLikes"))
  }

  func mapToJSON() -> JSONValue? {
    .object([
      "title": .string(title), "body": .string(body), "authors": .array(authors.compactMap { $0.mapToJSON() }),
      "numberOfLikes": .integer(numberOfLikes),
    ])
  }
}
