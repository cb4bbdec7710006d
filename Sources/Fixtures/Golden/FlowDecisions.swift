package import JSONSyntax

/// What a flow decided in a run, beside the records that it gave: the golden `flow.json`.
package struct FlowDecisions: Sendable, Hashable {
  /// A record that was left out.
  package struct Rejection: Sendable, Hashable {
    /// Its index in the response, from 0.
    package var index: Int
    /// RFC 6901, into the record.
    package var pointer: String
    /// Why.
    package var reason: String

    /// Builds it.
    package init(index: Int, pointer: String, reason: String) {
      self.index = index
      self.pointer = pointer
      self.reason = reason
    }
  }

  /// `passed`, `failed` or `error`.
  package var status: String
  /// Why it did not pass.
  package var error: String?
  /// Records that fit.
  package var records: Int
  /// Records that did not.
  package var rejected: Int
  /// The first of them.
  package var rejections: [Rejection]
  /// Responses that the records came from.
  package var pages: Int
  /// The requests with the status of their responses, by key.
  package var requests: [String]
  /// Waits, in milliseconds, in order.
  package var waits: [Int64]
  /// The fields of the schema: `id: integer`.
  package var fields: [String]
  /// The fields that identify a record.
  package var key: [String] = []
  /// Up to where the records are complete, for a flow that asks for what is new only: a text, or one for each parent.
  package var cursor: JSONValue?
  /// The keys in the order in which the records came, where that is not their own order.
  package var order: [String]?

  /// Builds it.
  package init(
    status: String, error: String? = nil, records: Int = 0, rejected: Int = 0, rejections: [Rejection] = [],
    pages: Int = 0, requests: [String] = [], waits: [Int64] = [], fields: [String] = []
  ) {
    self.status = status
    self.error = error
    self.records = records
    self.rejected = rejected
    self.rejections = rejections
    self.pages = pages
    self.requests = requests
    self.waits = waits
    self.fields = fields
  }

  /// The requests of a tape, as they are shown.
  package static func requests(of tape: FlowTape) -> [String] {
    tape.exchanges.map { exchange in
      let count = exchange.occurrence > 1 ? " #\(exchange.occurrence)" : ""
      return "\(exchange.request.line)\(count) -> \(exchange.status.map(String.init) ?? "no response")"
    }
  }

  /// The file's value; what does not apply is left out.
  package var json: JSONValue {
    func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    var members: [JSONObject.Member] = [.init(name: "status", value: .string(status))]
    if let error { members.append(.init(name: "error", value: .string(error))) }
    members.append(.init(name: "records", value: integer(records)))
    members.append(.init(name: "rejected", value: integer(rejected)))
    if !rejections.isEmpty {
      let list = rejections.map {
        JSONValue.object([
          "index": integer($0.index), "pointer": .string($0.pointer), "reason": .string($0.reason),
        ])
      }
      members.append(.init(name: "rejections", value: .array(list)))
    }
    members.append(.init(name: "pages", value: integer(pages)))
    members.append(.init(name: "requests", value: texts(requests)))
    members.append(.init(name: "waits_ms", value: .array(waits.map { .integer($0) })))
    if !fields.isEmpty { members.append(.init(name: "fields", value: texts(fields))) }
    if !key.isEmpty { members.append(.init(name: "key", value: texts(key))) }
    if let cursor { members.append(.init(name: "cursor", value: cursor)) }
    if let order { members.append(.init(name: "order", value: texts(order))) }
    return .object(JSONObject(members))
  }

  /// The file.
  package var bytes: [UInt8] { JSONWriter.bytes(json, style: .pretty) + [0x0A] }
}
