internal import ByteCodings
internal import SourceDiagnostics
internal import YAMLSyntax

/// The cassettes of VCR (Ruby), vcrpy and go-vcr: one structure, but different keys in each.
enum VCRFile {
  static func read(_ bytes: [UInt8], path: String) throws(FixtureError) -> ForeignRecording {
    let root = try YAMLNode(document: bytes, path: path, largest: 256 << 20)
    guard let list = root["interactions"] ?? root["http_interactions"],
      case .sequence(let nodes) = list.content
    else {
      throw FixtureError(
        "\(path) is not a known kind of recording", help: "give a HAR file, or a cassette of VCR, vcrpy or go-vcr")
    }
    var exchanges: [ForeignRecording.Exchange] = []
    var warnings: [String] = []
    for (index, node) in nodes.enumerated() {
      guard let request = node["request"], let response = node["response"],
        let url = (request["uri"] ?? request["url"])?.text, let status = status(response)
      else {
        warnings.append("interaction \(index + 1) is left out: its request or its response is incomplete")
        continue
      }
      var exchange = ForeignRecording.Exchange(method: request["method"]?.text ?? "GET", url: url, status: status)
      exchange.requestHeaders = fields(request["headers"])
      exchange.headers = fields(response["headers"])
      do throws(FixtureError) {
        let sent = try body(request["body"])
        exchange.requestBody = sent?.isEmpty ?? true ? nil : sent
        exchange.body = try body(response["body"]) ?? []
        try exchange.decodeBody()
        exchanges.append(exchange)
      } catch {
        warnings.append("the body of interaction \(index + 1) \(error.message)")
      }
    }
    return ForeignRecording(exchanges: exchanges, warnings: warnings)
  }

  private static func status(_ response: YAMLNode) -> Int? {
    let text = response["status"]?["code"]?.text ?? response["code"]?.text
    return text.flatMap { Int($0) }.flatMap { (100...999).contains($0) ? $0 : nil }
  }

  /// Reads a body: a text, or a mapping with the text under `string`.
  private static func body(_ node: YAMLNode?) throws(FixtureError) -> [UInt8]? {
    guard let node else { return nil }
    switch node.content {
    case .scalar(let scalar):
      if scalar.isNull { return nil }
      if scalar.tag?.hasSuffix("binary") ?? false { return try Self.base64(scalar.text) }
      return Array(scalar.text.utf8)
    case .mapping:
      if let text = node["base64_string"]?.text { return try Self.base64(text) }
      return try body(node["string"])
    case .sequence: return nil
    }
  }

  /// Decodes base64 with line breaks, as several libraries write it.
  private static func base64(_ text: String) throws(FixtureError) -> [UInt8] {
    guard let bytes = Base64.decode(Array(text.utf8), allowing: [.padding, .spareBits, .whiteSpace]) else {
      throw FixtureError("is not base64")
    }
    return bytes
  }

  /// Reads header fields; each value is a text or a list of texts.
  private static func fields(_ node: YAMLNode?) -> [RecordedRequest.Field] {
    guard let node, case .mapping(let mapping) = node.content else { return [] }
    return mapping.entries.flatMap { entry -> [RecordedRequest.Field] in
      switch entry.value.content {
      case .scalar(let scalar): [.init(entry.name, scalar.text)]
      case .sequence(let nodes): nodes.compactMap(\.text).map { .init(entry.name, $0) }
      case .mapping: []
      }
    }
  }
}

extension YAMLNode {
  /// Parses the first document of a file that another program wrote.
  init(document bytes: [UInt8], path: String, largest: Int) throws(FixtureError) {
    var limits = YAMLLimits()
    limits.bytes = largest
    limits.nodes = 5_000_000
    limits.aliases = 10_000
    var diagnostics = DiagnosticBag()
    let file = SourceFile(path: path, bytes: bytes)
    guard let node = YAMLStream.documents(file, limits: limits, resolvesMerges: true, diagnostics: &diagnostics)?.first
    else {
      let first = diagnostics.diagnostics.first
      throw FixtureError(
        "\(path):\(first?.range?.start.line ?? 1): \(first?.message ?? "it cannot be read")")
    }
    self = node
  }

  fileprivate subscript(_ name: String) -> YAMLNode? {
    if case .mapping(let mapping) = content { mapping[name] } else { nil }
  }
  fileprivate var text: String? { if case .scalar(let scalar) = content { scalar.text } else { nil } }
}
