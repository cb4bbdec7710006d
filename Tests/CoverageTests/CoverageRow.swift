/// A construct of another system, with the keys, the recipe and the tests that declare it here.
struct CoverageRow: Sendable {
  /// How much of the construct can be declared.
  enum Extent: String, Sendable, CaseIterable {
    case full
    case partly
    case no
  }

  /// A key of a construct, and perhaps one of its words: `pages.by=link`.
  struct Key: Sendable, Hashable {
    /// `construct.key`, as `reactor explain` takes it.
    var path: String
    var word: String?

    init(_ text: some StringProtocol) {
      let parts = String(text).split(separator: Character("="), maxSplits: 1).map(String.init)
      path = parts.first ?? ""
      word = parts.count > 1 ? parts[1] : nil
    }
  }

  /// A section of a guide (`pages#follow-a-token`), or a key's own entry in the reference (`key:pages.more`).
  enum Recipe: Sendable {
    case section(page: String, heading: String)
    case entry(Key)
    case unreadable(String)

    init(_ text: String) {
      let parts = text.split(separator: "#", maxSplits: 1).map(String.init)
      if text.hasPrefix("key:") {
        self = .entry(Key(text.dropFirst(4)))
      } else if parts.count == 2 {
        self = .section(page: "guides/\(parts[0])", heading: parts[1])
      } else {
        self = .unreadable(text)
      }
    }
  }

  /// A test by its suite and its name.
  struct Test: Sendable, Hashable {
    var suite: String
    var name: String
  }

  var name: String
  var extent: Extent
  var keys: [Key]
  var recipe: Recipe?
  var tests: [Test]
  /// What is missing, or why; may also be a remark on what is there.
  var note: String

  /// Reads `name | extent | keys | recipe | tests | note`; nil if the line has another form.
  ///
  /// Keys are separated by spaces, tests by ` + `. The note may contain bars.
  init?(_ line: some StringProtocol) {
    let cells = String(line).split(separator: Character("|"), maxSplits: 5, omittingEmptySubsequences: false)
      .map { Self.trimmed($0) }
    guard cells.count == 6, !cells[0].isEmpty, let extent = Extent(rawValue: cells[1]) else { return nil }
    name = cells[0]
    self.extent = extent
    keys = cells[2].split(separator: " ").map { Key($0) }
    recipe = cells[3].isEmpty ? nil : Recipe(cells[3])
    note = cells[5]
    tests = []
    for text in cells[4].isEmpty ? [] : cells[4].split(separator: " + ") {
      guard let colon = text.firstIndex(of: ":") else { return nil }
      tests.append(Test(suite: String(text[..<colon]), name: Self.trimmed(text[text.index(after: colon)...])))
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
