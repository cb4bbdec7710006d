internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore

/// A response to a request of a job, except to its download.
struct JobResponse: Sendable {
  /// The maximum size of the body, in bytes.
  static let limit = 16 << 20

  /// The response without its body.
  let head: Response
  /// The body: JSON, else its text; null if it is empty.
  let body: ExpressionValue
  /// The error for a body that is an HTML page; nil for other bodies. Servers often send a login page with status 200.
  let pageError: ReactorError?

  init(_ response: Response) async throws(ReactorError) {
    let bytes = try await response.body.collect(upTo: Self.limit)
    head = response
    body = ErrorRule.value(of: bytes)
    pageError = HTMLPage.isPage(bytes) == true ? HTMLPage.refusal(bytes, insteadOf: "the state of a job") : nil
  }

  /// Whether an error rule applies to the response, so that it has no records.
  var isRuled: Bool { head.meaning != nil }

  /// The values of the response, by the names that expressions use for them.
  var values: [String: ExpressionValue] {
    [
      "status": .int(Int64(head.status)), "headers": .map(ErrorRule.members(of: head.headers)), "response": body,
    ]
  }

  /// The beginning of the body, as messages quote it.
  var excerpt: String {
    let text = String(decoding: JSONWriter.bytes(body.json), as: UTF8.self)
    return text.count > 200 ? text.prefix(199) + "…" : text
  }
}
