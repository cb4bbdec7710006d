import JSONSyntax
import ReactorCore

/// The seed's example model.
struct Article: Mappable, Equatable {
  var title: String
  var body: String
  var authors: [Author]
  var numberOfLikes: Int64

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

extension Article {
  static let first = Article(title: "One", body: "First", authors: [Author(name: "Ada")], numberOfLikes: 1)
  static let second = Article(title: "Two", body: "Sécond \"2\"\n", authors: [], numberOfLikes: 9_007_199_254_740_993)
  static let third = Article(
    title: "Three", body: "Third", authors: [Author(name: "Bo"), Author(name: "Cy")], numberOfLikes: 0)
  static let all = [first, second, third]
}
