package import JSONSyntax

/// The decisions of a flow in a run (its requests, waits and so on), without the records: the golden `flow.json`.
package struct FlowDecisions: Sendable, Hashable {
  /// A rejected record.
  package struct Rejection: Sendable, Hashable {
    /// The index of the record in the response, from 0.
    package var index: Int
    /// The location of the error in the record, as a JSON pointer (RFC 6901).
    package var pointer: String
    /// The reason for the rejection.
    package var reason: String

    /// Creates a rejection.
    package init(index: Int, pointer: String, reason: String) {
      self.index = index
      self.pointer = pointer
      self.reason = reason
    }
  }

  /// The result: `passed`, `failed` or `error`.
  package var status: String
  /// The reason when the flow did not pass.
  package var error: String?
  /// The number of records that were not rejected.
  package var records: Int
  /// The number of rejected records.
  package var rejected: Int
  /// The first rejected records.
  package var rejections: [Rejection]
  /// The number of responses with records.
  package var pages: Int
  /// The requests with the status of their responses, sorted by key.
  package var requests: [String]
  /// The waits in milliseconds, in order.
  package var waits: [Int64]
  /// The fields of the schema, such as `id: integer`.
  package var fields: [String]
  /// The names of the fields that identify a record.
  package var key: [String] = []
  /// The position of the cursor, up to which the records of an incremental flow are complete.
  ///
  /// A text, or one text for each parent.
  package var cursor: JSONValue?
  /// The keys in the order of the response. Nil when the records are already sorted by key.
  package var order: [String]?

  /// Creates decisions.
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

  /// Returns the requests of a tape, as the golden shows them.
  package static func requests(of tape: FlowTape) -> [String] {
    tape.exchanges.map { exchange in
      let count = exchange.occurrence > 1 ? " #\(exchange.occurrence)" : ""
      return "\(tape.matching.line(exchange.request))\(count) -> \(exchange.status.map(String.init) ?? "no response")"
    }
  }

  /// The JSON value of the file; members without a value are left out.
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

  /// The content of the file.
  package var bytes: [UInt8] { JSONWriter.bytes(json, style: .pretty) + [0x0A] }
}
