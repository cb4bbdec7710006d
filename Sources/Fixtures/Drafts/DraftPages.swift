internal import JSONSyntax
package import Records
internal import YAMLSyntax

/// The paging strategy of a drafted flow.
///
/// When no strategy is found, the notes say that the draft fetches only a part of the records.
package struct DraftPages: Sendable, Hashable {
  /// The YAML text after `pages:`; nil when the draft needs no `pages`.
  package private(set) var text: String?
  /// The comment that the draft has on the line of `pages`.
  package private(set) var comment: String?
  /// The path of the value in the response that is the total number of records.
  package private(set) var total: String?
  /// The notes, each a whole sentence.
  package private(set) var notes: [String] = []
  /// The query parameters that the strategy itself sends.
  package private(set) var replaced: Set<String> = []
  /// Whether the flow probably fetches only the first records.
  package private(set) var isPartial = false

  /// The signs of paging in a response.
  package struct Signs: Sendable, Hashable {
    /// The hint at another page in the body or in the headers.
    package var hint: NextPageHint?
    /// Whether the response has a `Link` header with a next page.
    package var hasLink = false
    /// The name of a header with the URL of the next page.
    package var urlHeader: String?
    /// The number of records in the response; nil when it is not known.
    package var count: Int?
    /// Whether the records are elements of a list.
    package var isList = true

    init(hint: NextPageHint? = nil) { self.hint = hint }
  }

  /// Replaces the comment about a guess: a second request has shown that the strategy is right.
  ///
  /// - Parameter words: what was seen, a part of a sentence
  mutating func confirm(_ words: String) { comment = words }

  /// Chooses a strategy by the signs in a response and the parameters of its request.
  package init(_ signs: Signs, _ parameters: [PageParameter]) {
    let hint = signs.hint
    if signs.hasLink {
      text = "link"
    } else if let header = signs.urlHeader {
      text = "{ by: next_url, from: \(YAMLText.quoted("headers.\(header)")) }"
    } else if let hint, hint.kind == .url {
      text = "{ by: next_url, from: \(YAMLText.quoted(hint.location)) }"
    } else if let hint, hint.kind == .token, let parameter = Self.taker(of: hint, parameters) {
      text = "{ by: cursor, from: \(YAMLText.quoted(hint.location)), query: \(YAMLText.quoted(parameter.name)) }"
      replaced = [parameter.name]
    } else if signs.isList, let parameter = parameters.first(.page) ?? parameters.first(.offset) {
      number(parameter, hint, parameters)
    } else if let hint {
      text = "none"
      comment = "for all of them \(hint.remedy)"
      part("The response \(hint.words).")
    } else {
      noteSize(signs, parameters)
    }
  }

  /// Sets the strategy of numbered pages or offsets.
  private mutating func number(_ parameter: PageParameter, _ hint: NextPageHint?, _ parameters: [PageParameter]) {
    var words = ["by: \(parameter.role == .page ? "page" : "offset")", "query: \(YAMLText.quoted(parameter.name))"]
    replaced = [parameter.name]
    let usual: Int64 = parameter.role == .page ? 1 : 0
    if let first = parameter.value.flatMap({ Int64($0) }), first != usual {
      if first == 0 || first == 1 {
        words.append("start: \(first)")
      } else {
        notes.append("The sample begins at \(parameter.name)=\(first), the flow at the first record.")
      }
    }
    if let size = parameters.first(.size), !size.isSent, let maximum = size.maximum, (1...1_000_000).contains(maximum) {
      words += ["size: \(maximum)", "size_query: \(YAMLText.quoted(size.name))"]
      replaced.insert(size.name)
    }
    let isPath = hint?.location.hasPrefix("$") ?? false
    switch hint?.kind {
    case .pages where isPath && parameter.role == .page:
      words.append("count: \(YAMLText.quoted(hint?.location ?? ""))")
    case .total where isPath: total = hint?.location
    default: comment = "guessed: by the parameter's name; it ends at a page without records"
    }
    text = "{ \(words.joined(separator: ", ")) }"
  }

  /// Adds a note when a parameter limits the number of records, but nothing leads to the next page.
  private mutating func noteSize(_ signs: Signs, _ parameters: [PageParameter]) {
    if let cursor = parameters.first(.cursor) {
      part("It takes '\(cursor.name)', but it is not known where a response gives the value to send.")
    } else if let size = parameters.first(.size) {
      if let count = signs.count, let asked = size.value.flatMap({ Int($0) }) {
        if count >= asked, count > 0 { part("The sample is as long as '\(size.name)' allows: there may be more.") }
      } else {
        part("It takes '\(size.name)', but it is not known how to request the records after these.")
      }
    } else if let page = parameters.first(.page) ?? parameters.first(.offset) {
      part(
        "The request has the parameter '\(page.name)', but the response has no list of records, so the last page is not known."
      )
    }
  }

  private mutating func part(_ reason: String) {
    isPartial = true
    notes.append("PART ONLY: this flow gets the records of one response. \(reason)")
  }

  /// Returns the parameter that takes the token for the next page.
  private static func taker(of hint: NextPageHint, _ parameters: [PageParameter]) -> PageParameter? {
    if let parameter = parameters.first(.cursor) { return parameter }
    let name = DraftText.plain(String(hint.location.split(separator: ".").last ?? ""))
    if name.contains("offset") || name.contains("start") || name.contains("skip") {
      return parameters.first { PageParameter.role(named: $0.name) == .offset }
    }
    return name.contains("page") ? parameters.first { PageParameter.role(named: $0.name) == .page } : nil
  }
}

extension [PageParameter] {
  fileprivate func first(_ role: PageParameter.Role) -> PageParameter? { first { $0.role == role } }
}
