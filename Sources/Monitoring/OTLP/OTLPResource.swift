internal import JSONSyntax

/// What sends telemetry, as OpenTelemetry describes it.
package struct OTLPResource: Sendable {
  /// The attributes, each name once.
  package let attributes: [(name: String, value: String)]
  /// The version of the program.
  package let tool: String

  /// Describes the program by the variables of OpenTelemetry.
  ///
  /// - Parameter attributes: those of `OTEL_RESOURCE_ATTRIBUTES`
  /// - Parameter service: the value of `OTEL_SERVICE_NAME`, which has priority
  package init(tool: String, attributes: [(name: String, value: String)], service: String?) {
    self.tool = tool
    var all = [("service.name", "reactor"), ("service.version", tool)]
    for (name, value) in attributes + (service.map { [("service.name", $0)] } ?? []) {
      all.removeAll { $0.0 == name }
      all.append((name, value))
    }
    self.attributes = all
  }

  var json: JSONValue {
    .object([
      "attributes": .array(attributes.map { OTLPJSON.attribute($0.name, .object(["stringValue": .string($0.value)])) })
    ])
  }

  /// The scope of the program's own telemetry.
  var scope: JSONValue { .object(["name": "reactor", "version": .string(tool)]) }
}

/// The parts of OTLP's JSON encoding.
enum OTLPJSON {
  static func attribute(_ name: String, _ value: JSONValue) -> JSONValue {
    .object(["key": .string(name), "value": value])
  }

  static func attribute(_ name: String, _ text: String) -> JSONValue {
    attribute(name, .object(["stringValue": .string(text)]))
  }

  /// An attribute with an integer, which is a string in JSON because it may have 64 bits.
  static func attribute(_ name: String, _ number: Int64) -> JSONValue {
    attribute(name, .object(["intValue": .string(String(number))]))
  }

  /// The items in groups, so that no request is too large for a receiver.
  static func groups<Item>(_ items: [Item], of size: Int) -> [ArraySlice<Item>] {
    stride(from: 0, to: items.count, by: size).map { items[$0..<min($0 + size, items.count)] }
  }
}
