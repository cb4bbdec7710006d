internal import Fixtures

/// What a flow is drafted from, as a person names it.
enum InitSource: Sendable {
  /// A request, which is sent.
  case request(CurlCommand)
  /// A draft from a file, with the name of its first flow.
  case draft(DraftFile, name: String)
  /// An example.
  case example(String)

  /// Reads a source from a line, or from several lines of a curl command.
  init(_ text: String, name: String?, base: String?) throws(FixtureError) {
    // A terminal passes on no more bytes of a line.
    if text.split(separator: "\n").contains(where: { $0.utf8.count >= 4095 }) {
      throw FixtureError(
        "the line is longer than a terminal passes on (4095 bytes)",
        help: "write it to a file: reactor init --curl - < FILE")
    }
    if text.hasPrefix("curl ") {
      self = .request(try CurlCommand(text))
    } else if Self.isURL(text) {
      self = .request(CurlCommand(url: text))
    } else if StartingFlow.all.contains(where: { $0.name == text }) {
      self = .example(text)
    } else if let bytes = try FixtureFiles.read(named: text) {
      let draft = try DraftFile(bytes, path: text, DraftFile.Wishes(name: name, base: base))
      self = .draft(draft, name: draft.flows.first?.name ?? "records")
    } else {
      throw FixtureError("there is no file '\(text)'", help: "a URL begins with http:// or https://")
    }
  }

  static func isURL(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

  /// Whether a line is the beginning of a curl command of several lines, as browsers copy it.
  static func isUnfinished(_ text: String) -> Bool {
    guard text.hasPrefix("curl ") else { return false }
    if text.hasSuffix("\\") { return true }
    do throws(FixtureError) {
      _ = try CurlCommand(text)
      return false
    } catch {
      return error.message.contains("is not closed")
    }
  }
}

extension InitCommand {
  /// The request that the command line names; nil when it names none.
  var writtenSource: InitSource? {
    get throws(FixtureError) {
      if let curl { return .request(try CurlCommand(curl)) }
      return source.map { .request(CurlCommand(url: $0)) }
    }
  }
}
