import Testing

/// A text that must be refused, alone and as a part of a good flow.
struct Hazard: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  /// The code expected for the text alone.
  let code: String
  /// The code expected below a key of a good flow; nil where the text is a hazard only as a whole file.
  let spliced: String?

  init(_ name: String, _ text: String, _ code: String, spliced: String? = "same") {
    self.init(name, bytes: Array(text.utf8), code, spliced: spliced)
  }

  init(_ name: String, bytes: [UInt8], _ code: String, spliced: String? = "same") {
    self.name = name
    self.bytes = bytes
    self.code = "yaml." + code
    self.spliced = spliced.map { "yaml." + ($0 == "same" ? code : $0) }
  }

  var testDescription: String { name }

  static let all: [Hazard] = bytes + documents + keys + anchors + tags + indentation + punctuation + quotes + limits

  /// A flow as people write them; every hazard is also tried below its last key.
  static let goodFlow = """
    # Everything about the shop
    reactor: 1
    description: "Customers – and orders"
    vars:
      since: { type: date, default: 2024-01-01 }
    http: &http
      base_url: https://api.example.com/v2
      headers: { Accept: application/json, X-Name: 'it''s' }
    flows:
      customers:
        resource:
          path: /customers/{{ vars.since }}
          query: { updated_since: "{{ vars.since }}" }
        tags: [shop, daily]
        text: |
          two
          lines
        schema:
          key: id
          fields:
            id: integer
            city: { from: $.address.city, type: string, default: "" }
      orders:
        http: *http
        tags:
        - shop
        - "ünïcödé 日本 😀"

    """

  /// The hazard below a key of the good flow, every line indented by two.
  var splicedBytes: [UInt8] {
    var result = Array((Self.goodFlow + "hazard:\n  ").utf8)
    for byte in bytes {
      result.append(byte)
      if byte == UInt8(ascii: "\n") { result += Array("  ".utf8) }
    }
    return result
  }
}
