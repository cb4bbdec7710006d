/// Three articles; one of them lacks a member that the `articles` example requires.
enum ArticleData {
  static let articles = """
    [
      {"title": "How tea is dried", "body": "Slowly.", "authors": [{"name": "Ada"}], "numberOfLikes": 42},
      {"title": "Not liked yet", "body": "A draft.", "authors": []},
      {"title": "Cups of clay", "body": "They last.", "authors": [{"name": "Ben"}, {"name": "Cleo"}], "numberOfLikes": 7}
    ]
    """
}
