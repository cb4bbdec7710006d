internal import ByteCodings
internal import JSONSyntax

/// The format HTTP Archive 1.2, as browsers and test tools write it.
package enum HARFile {
  static func read(_ bytes: [UInt8], path: String) throws(FixtureError) -> ForeignRecording {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(parsing: bytes)
    } catch {
      throw FixtureError("\(path): \(error)")
    }
    guard let entries = root["log"]?["entries"]?.array else {
      throw FixtureError("\(path) is not a HAR file: it has no 'log.entries'")
    }
    var exchanges: [ForeignRecording.Exchange] = []
    var warnings: [String] = []
    for (index, entry) in entries.enumerated() {
      guard let request = entry["request"], let method = request["method"]?.string, let url = request["url"]?.string,
        let response = entry["response"], let status = response["status"]?.int64, (100...999).contains(status)
      else {
        warnings.append("entry \(index + 1) is left out: its request or its response is incomplete")
        continue
      }
      var exchange = ForeignRecording.Exchange(method: method, url: url, status: Int(status))
      exchange.requestHeaders = fields(request["headers"])
      exchange.requestBody = request["postData"]?["text"]?.string.map { Array($0.utf8) }
      exchange.headers = fields(response["headers"])
      let content = response["content"]
      let text = content?["text"]?.string ?? ""
      if content?["encoding"]?.string == "base64" {
        guard let bytes = Base64.decode(Array(text.utf8), allowing: [.padding, .spareBits, .whiteSpace]) else {
          warnings.append("the content of entry \(index + 1) is not base64")
          continue
        }
        exchange.body = bytes
      } else {
        exchange.body = Array(text.utf8)
      }
      do throws(FixtureError) {
        try exchange.decodeBody()
        exchanges.append(exchange)
      } catch {
        warnings.append("the content of entry \(index + 1) \(error.message)")
      }
    }
    return ForeignRecording(exchanges: exchanges, warnings: warnings)
  }

  private static func fields(_ value: JSONValue?) -> [RecordedRequest.Field] {
    (value?.array ?? []).compactMap { field in
      guard let name = field["name"]?.string, let value = field["value"]?.string, !name.hasPrefix(":") else {
        return nil
      }
      return .init(name, value)
    }
  }

  // MARK: - Writing

  /// Returns the HAR file of some cassettes.
  ///
  /// - Parameter base: the base URL that replaces each flow's server, without a final slash
  package static func bytes(_ cassettes: [Cassette], base: String, tool: String) throws(FixtureError) -> [UInt8] {
    var entries: [JSONValue] = []
    for cassette in cassettes {
      for entry in cassette.entries {
        if let value = try json(entry, cassette, base) { entries.append(value) }
      }
    }
    let log = JSONValue.object([
      "version": .string("1.2"), "creator": .object(["name": .string("reactor"), "version": .string(tool)]),
      "entries": .array(entries),
    ])
    return JSONWriter.bytes(.object(["log": log]), style: .pretty) + [0x0A]
  }

  private static func json(_ entry: Cassette.Entry, _ cassette: Cassette, _ base: String) throws(FixtureError)
    -> JSONValue?
  {
    guard case .response(let response) = entry.outcome else { return nil }
    let body = try response.body.bytes
    func restored(_ text: String) -> String {
      text.replacing("{{base}}", with: base).replacing("{{literal}}", with: "{{")
    }
    let type = response["Content-Type"] ?? "application/octet-stream"
    var content: [JSONObject.Member] = [
      .init(name: "size", value: .integer(Int64(body.count))), .init(name: "mimeType", value: .string(type)),
    ]
    if let text = String(validating: body, as: UTF8.self) {
      content.append(.init(name: "text", value: .string(restored(text))))
    } else {
      content.append(.init(name: "text", value: .string(Base64.encode(body))))
      content.append(.init(name: "encoding", value: .string("base64")))
    }
    func list(_ fields: [RecordedRequest.Field]) -> JSONValue {
      .array(fields.map { .object(["name": .string($0.name), "value": .string(restored($0.value))]) })
    }
    let none = JSONValue.integer(-1)
    var request: [JSONObject.Member] = [
      .init(name: "method", value: .string(entry.request.method)),
      .init(name: "url", value: .string(restored(entry.request.url))),
      .init(name: "httpVersion", value: .string("HTTP/1.1")), .init(name: "cookies", value: .array([])),
      .init(name: "headers", value: list(entry.request.headers)),
      .init(
        name: "queryString",
        value: .array(
          entry.request.parameters.map {
            .object([
              "name": .string(PercentCoding.decode($0.name)), "value": .string(PercentCoding.decode($0.value)),
            ])
          })), .init(name: "headersSize", value: none),
      .init(name: "bodySize", value: .integer(Int64(entry.request.body?.count ?? 0))),
    ]
    if let body = entry.request.body {
      let type = entry.request.headers.first { $0.name.lowercased() == "content-type" }?.value
      request.append(
        .init(
          name: "postData",
          value: .object([
            "mimeType": .string(type ?? "application/json"), "text": .string(String(decoding: body, as: UTF8.self)),
          ])))
    }
    return .object([
      "startedDateTime": .string(cassette.recordedAt), "time": .integer(0), "request": .object(JSONObject(request)),
      "response": .object([
        "status": .integer(Int64(response.status)), "statusText": .string(""), "httpVersion": .string("HTTP/1.1"),
        "cookies": .array([]), "headers": list(response.headers), "content": .object(JSONObject(content)),
        "redirectURL": .string(restored(response["Location"] ?? "")), "headersSize": none, "bodySize": none,
      ]), "cache": .object([:]),
      "timings": .object(["send": .integer(0), "wait": .integer(0), "receive": .integer(0)]),
    ])
  }
}
