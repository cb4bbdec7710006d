public import JSONSyntax

/// An error that a response reports in its content, whatever its HTTP status; found by the usual member names.
///
/// It is looked for only in a response without records. Next to records, such a member may concern a single record.
/// Next to an empty list, it says why the list is empty, so the list is not the requested data.
public struct ReportedError: Sendable, Hashable {
  /// The path of the member, such as `$.error`.
  public let location: String
  /// The text of the error, at most 300 characters; nil when there is none.
  public let text: String?

  /// The maximum depth of members that are examined.
  private static let deepest = 2

  /// Finds the first error in the response without its records; nil without one.
  public init?(in envelope: JSONValue) {
    guard let found = Self.find(in: envelope, [], depth: 1) else { return nil }
    self = found
  }

  private init(at steps: [JSONPath.Step], _ text: String?) {
    location = JSONPath(singular: steps).text
    self.text = text.map { String($0.prefix(300)) }
  }

  private static func find(in value: JSONValue, _ steps: [JSONPath.Step], depth: Int) -> ReportedError? {
    guard depth <= deepest, case .object(let object) = value else { return nil }
    let members = object.members.map { (name: PageWords.plain($0.name), value: $0.value, raw: $0.name) }
    let isAboutResponse = depth == 1 || PageWords.isAboutPage(steps)
    for (name, value, raw) in members where saysError(name, value, isAboutResponse) {
      let sibling = members.first { messages.contains($0.name) && $0.value.string?.isEmpty == false }?.value
      return ReportedError(at: steps + [.name(raw)], message(of: value, name: name) ?? sibling?.string)
    }
    for (_, value, raw) in members {
      if let found = find(in: value, steps + [.name(raw)], depth: depth + 1) { return found }
    }
    return nil
  }

  private static func saysError(_ name: String, _ value: JSONValue, _ isAboutResponse: Bool) -> Bool {
    if errors.contains(name) { return !meansNoError(value) }
    guard isAboutResponse else { return false }
    if states.contains(name) { return value.string.map { failed.contains($0.lowercased()) } ?? false }
    if successes.contains(name) { return value.bool == false || value.string?.lowercased() == "false" }
    return false
  }

  private static func meansNoError(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool(false): true
    case .bool(true): false
    case .string(let text): text.isEmpty || harmless.contains(text.lowercased())
    case .number(let number): [0, 200].contains(number.double)
    case .array(let elements): elements.allSatisfy(meansNoError)
    case .object(let object):
      object.members.isEmpty
        || object.members.contains {
          ["code", "errcode", "status"].contains(PageWords.plain($0.name)) && meansNoError($0.value)
        }
    }
  }

  private static func message(of value: JSONValue, name: String) -> String? {
    switch value {
    case .string(let text): states.contains(name) ? nil : text
    case .array(let elements): elements.lazy.compactMap { message(of: $0, name: name) }.first
    case .object(let object):
      object.members.first { messages.contains(PageWords.plain($0.name)) && $0.value.string?.isEmpty == false }?.value
        .string ?? String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    default: nil
    }
  }

  /// Names of members that contain an error, and are empty when there is no error.
  private static let errors: Set<String> = [
    "error", "errors", "errorcode", "errcode", "errormessage", "errormessages", "errormsg", "errmsg", "exception",
    "fault",
  ]
  /// Names of members with a word for the outcome of the request.
  private static let states: Set<String> = ["status", "state", "result", "outcome"]
  private static let failed: Set<String> = ["error", "errors", "fail", "failed", "failure", "exception"]
  /// Names of members that are false when the request failed.
  private static let successes: Set<String> = ["success", "successful", "succeeded", "ok", "issuccess"]
  private static let messages: Set<String> = ["message", "msg", "detail", "details", "description", "reason", "title"]
  /// Texts of an error member that mean that there is no error.
  private static let harmless: Set<String> = ["0", "200", "false", "none", "no", "null", "ok", "success"]
}
