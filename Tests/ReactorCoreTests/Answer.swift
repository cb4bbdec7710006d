import ReactorCore

/// Responses as a server would give them.
enum Answer {
  static let threeArticles = String(
    decoding: (try? Parser.array(of: ModelMapping<Article>()).encode(Article.all)) ?? [], as: UTF8.self)
  /// The third has no body.
  static let thirdIncomplete = """
    [{"title": "One", "body": "First", "authors": [{"name": "Ada"}], "numberOfLikes": 1},
     {"title": "Two", "body": "Second", "authors": [], "numberOfLikes": 2},
     {"title": "Three", "authors": [], "numberOfLikes": 3}]
    """
  static let allBad = #"[{"title": 1}, {"titel": "One"}, 3]"#
  static let truncated = #"[{"title": "One", "body": "#
  static let author = #"{"name": "Ada"}"#
}

extension Resource {
  static let articles = Resource(path: "/articles", method: .GET)
}
