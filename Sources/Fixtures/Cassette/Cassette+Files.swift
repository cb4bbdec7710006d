internal import ByteCodings
internal import JSONSyntax
internal import YAMLSyntax

extension Cassette {
  /// A file in a cassette's folder.
  package struct File: Sendable, Hashable {
    /// The path relative to the folder, such as `cassette.yaml` or `bodies/001-customers.json`.
    package var path: String
    /// The content of the file.
    package var bytes: [UInt8]
  }

  /// The maximum size in bytes of a text in the cassette file itself. Longer texts get their own file.
  static let inlineLimit = 2048

  /// The files of this cassette; equal cassettes always give the same bytes.
  package var files: [File] { get throws(FixtureError) { try written() } }

  private func written() throws(FixtureError) -> [File] {
    var text = """
      # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
      cassette: \(Self.version)
      flow: \(YAMLText.quoted(flow))
      recorded_at: \(YAMLText.quoted(recordedAt))
      tool: \(YAMLText.quoted(tool))
      entries:

      """
    if entries.isEmpty { text = text.replacing("entries:\n", with: "entries: []\n") }
    var bodies: [File] = []
    for (index, entry) in entries.enumerated() {
      text += "  - request: \(YAMLText.quoted(entry.request.line))\n"
      text += Self.fields(entry.request.headers, "request_headers")
      if let body = entry.request.body {
        text += Self.content(body, "request_body", number: index + 1, entry, &bodies)
      }
      if entry.occurrence > 1 { text += "    occurrence: \(entry.occurrence)\n" }
      switch entry.outcome {
      case .failure(let kind, let message):
        text += "    failure: \(YAMLText.quoted(kind))\n    message: \(YAMLText.quoted(message))\n"
      case .response(let response):
        text += "    status: \(response.status)\n"
        if let url = response.url { text += "    url: \(YAMLText.quoted(url))\n" }
        text += Self.fields(response.headers, "headers")
        if let transport = response.transport {
          var parts: [String] = []
          if let encoding = transport.encoding { parts.append("encoding: \(YAMLText.quoted(encoding))") }
          if let length = transport.wireLength { parts.append("wire_length: \(YAMLText.quoted(length))") }
          text += "    transport: { \(parts.joined(separator: ", ")) }\n"
        }
        if !response.body.isEmpty {
          text += Self.content(try response.body.bytes, "body", number: index + 1, entry, &bodies)
        }
      }
    }
    return [File(path: "cassette.yaml", bytes: Array(text.utf8))] + bodies
  }

  private static func fields(_ fields: [RecordedRequest.Field], _ key: String) -> String {
    fields.isEmpty ? "" : "    \(key):\n" + fields.map { "      - \(YAMLText.quoted($0.line))\n" }.joined()
  }

  private static func content(
    _ bytes: [UInt8], _ key: String, number: Int, _ entry: Entry, _ bodies: inout [File]
  ) -> String {
    let text = String(validating: bytes, as: UTF8.self)
    if bytes.count <= inlineLimit, let text { return "    \(key): \(YAMLText.scalar(text, indent: 6))\n" }
    let digits = String(number)
    let slug = slug(entry.request.path)
    let kind = text == nil ? "bin" : (try? JSONValue(parsing: bytes)) == nil ? "txt" : "json"
    let path =
      "bodies/" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + "-\(slug)"
      + (key == "body" ? "" : "-request") + "." + kind
    bodies.append(File(path: path, bytes: bytes))
    return "    \(key)_file: \(YAMLText.quoted(path))\n"
  }

  /// Returns the end of a URL path as a part of a file name.
  private static func slug(_ path: String) -> String {
    var text = ""
    for byte in path.utf8.drop(while: { $0 != UInt8(ascii: "/") }) {
      let isPlain = ASCII.lowercased(byte) &- 0x61 < 26 || byte &- 0x30 < 10
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else if !text.isEmpty, !text.hasSuffix("-") {
        text += "-"
      }
    }
    while text.hasSuffix("-") { text.removeLast() }
    let tail = text.utf8.count > 40 ? String(text.suffix(40)) : text
    return tail.isEmpty ? "root" : String(tail.drop { $0 == "-" })
  }
}
