internal import ByteCodings
internal import WebSyntax

extension RequestTranslator {
  /// Translates the URL: the server, the path and the query.
  ///
  /// - Returns: the reason why the request has no flow; nil when it has one
  mutating func address() -> RequestCollection.Loss? {
    let origin = request.origin
    func loss(_ what: String, _ needs: String) -> RequestCollection.Loss {
      RequestCollection.Loss(kind: .request, what: "request '\(request.name)'\(what)", needs: needs, origin: origin)
    }
    let (written, question) = URLText.split(URLText.split(expanded(request.url.trimmed), at: "#").0, at: "?")
    guard !written.isEmpty else { return loss(" without a URL", "the URL") }
    let (server, path) = split(written)
    table.forgetEmptyValues(of: server, in: request.scope)
    // Check before its variables are declared, because the URL of a refused server may contain a password.
    if let loss = serverLoss(written) { return loss }
    do throws(SourceTemplateError) {
      draft.base = try base(server)
      draft.path = try self.path(path)
    } catch {
      return loss(": \(error.part)", error.needs)
    }
    let base = draft.base.text
    guard base.hasPrefix("http://") || base.hasPrefix("https://") || base.hasPrefix("{{") else {
      return loss(": \(URLText.split(base, at: ":").0)", "a URL with http or https")
    }
    let pairs = URLText.pairs(question).map { CollectedRequest.Pair(name: $0.name, value: $0.value, origin: origin) }
    if !pairs.isEmpty { query(pairs) }
    if !request.query.isEmpty { query(request.query) }
    losses(of: path, behind: server)
    return nil
  }

  /// Records the parts of a path that the flow sends in a different way.
  private func losses(of path: String, behind server: String) {
    if path.hasPrefix("//") {
      lose(
        .request, "the slash at the beginning of the path '\(path)'", needs: "a path that begins with one slash",
        at: request.origin)
    }
    if path == "/", !request.url.contains("/"), table.value(of: server, in: request.scope) == nil {
      draft.useBaseAsURL()
      if draft.url == nil {
        lose(
          .request, "the path in the value of '\(server)'",
          needs: "a path in the request: the flow sends a slash after this value",
          at: request.origin)
      }
    }
    if !request.encodesURL, !Self.isTemplate(path), Self.escaped(path) != path {
      lose(.request, "the path as written", needs: "a path without characters that a flow escapes", at: request.origin)
    }
  }

  /// The URL with a variable replaced by its value, if that value is a URL with a path or a query.
  private func expanded(_ url: String) -> String {
    let server = URLText.split(URLText.split(url, at: "#").0, at: "?").0
    guard Self.isTemplate(server), split(server).path == "/", !server.hasSuffix("/"),
      let value = table.value(of: server, in: request.scope)
    else { return url }
    let known = URLText.split(value, at: "#").0
    let (address, question) = URLText.split(known, at: "?")
    // A password is shown in no message.
    guard !address.contains("@") else { return url }
    let path = Self.scheme(of: address) == nil ? URLText.split(address, at: "/").1 : URLText.origin(of: address).1
    guard !question.isEmpty || !path.isEmpty && path != "/" else { return url }
    let rest = url.dropFirst(server.count)
    return known + (question.isEmpty || !rest.hasPrefix("?") ? rest : "&" + rest.dropFirst())
  }

  /// The loss of a request whose server is known but not valid; nil for other requests.
  private func serverLoss(_ url: String) -> RequestCollection.Loss? {
    let server = split(url).server
    guard var value = table.value(of: server, in: request.scope) else { return nil }
    guard !value.contains(where: { "?#".contains($0) }) else {
      return RequestCollection.Loss(
        kind: .request, what: "request '\(request.name)' to '\(server)'",
        needs: "a server without a query before the path",
        origin: request.origin)
    }
    if Self.scheme(of: value) == nil { value = "http://" + value }
    let url = try? WebURL(value)
    let host = URLText.origin(of: value).0.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    let isHost = host.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 >= 0x80 || "-._~:[]%".utf8.contains($0)
    }
    guard url?.isHTTP != true || url?.hasCredentials == true || !isHost else { return nil }
    return RequestCollection.Loss(
      kind: .request, what: "request '\(request.name)' to '\(server)'", needs: "the URL of a server with http or https",
      origin: request.origin)
  }

  /// Splits a URL into the server and the path. A variable at the beginning of the URL counts as the server.
  private func split(_ url: String) -> (server: String, path: String) {
    if Self.scheme(of: url) != nil { return URLText.origin(of: url) }
    let (server, rest) = URLText.split(url, at: "/")
    if rest.isEmpty, server.utf8.count < url.utf8.count { return (server, "/") }
    guard rest.isEmpty else { return (server, "/" + rest) }
    // `{{base}}orders`: the path begins after the variable, whose value ends with a slash.
    if server.hasPrefix("{{"), let end = server.firstRange(of: "}}")?.upperBound, end < server.endIndex,
      let value = table.value(of: String(server[..<end]), in: request.scope), value.hasSuffix("/")
    {
      return (String(server[..<end]), "/" + server[end...])
    }
    return (server, "/")
  }

  /// The end of a scheme with its two slashes; nil for a URL without one.
  static func scheme(of url: String) -> String.Index? {
    guard let range = url.firstRange(of: "://"), !url[..<range.lowerBound].contains("/") else { return nil }
    return range.upperBound
  }

  private func base(_ server: String) throws(SourceTemplateError) -> FlowTemplate {
    let value = table.value(of: server, in: request.scope)
    var text = server
    if Self.scheme(of: server) == nil, value.map({ !$0.isEmpty && !$0.contains("://") }) ?? !server.hasPrefix("{{") {
      text = "http://" + server
    }
    var result = try table.template(text, in: request.scope)
    result.dropSlash()
    return result
  }

  // MARK: - The path

  private func path(_ path: String) throws(SourceTemplateError) -> FlowTemplate {
    var result = FlowTemplate(literal: "")
    var previous: String?
    for (index, segment) in URLText.parts(path, at: "/").enumerated() {
      if index > 0 { result.append(FlowTemplate(literal: "/")) }
      if segment.hasPrefix(":"), segment.count > 1, !segment.contains("{") {
        result.append(try parameter(String(segment.dropFirst()), behind: previous))
      } else {
        let isConstant = !segment.contains("{{") && !segment.contains("{%")
        result.append(try table.template(segment, in: request.scope, literal: Self.escaped))
        if isConstant { previous = segment }
      }
    }
    return result.text.isEmpty ? FlowTemplate(literal: "/") : result.singleSlash
  }

  /// Translates a parameter of the path, and adds its value to `params`.
  private func parameter(_ name: String, behind previous: String?) throws(SourceTemplateError) -> FlowTemplate {
    let word = FlowName.snake(name)
    var (result, number) = (word, 2)
    while draft.params[result] != nil {
      result = "\(word)_\(number)"
      number += 1
    }
    let pair = request.pathValues.first { $0.name == name }
    var value = pair?.value ?? ""
    if value.isEmpty {
      // A general name such as `id` has different values in different paths.
      let isGeneral = ["id", "uuid", "key", "name", "slug", "code", "number"].contains(word)
      let key = isGeneral && previous != nil ? "\(previous ?? "")_\(word)" : word
      draft.params.set(
        result, try table.path(value: FlowName.snake(key), in: request.scope).node, from: pair?.origin ?? request.origin
      )
      return FlowTemplate(literal: "{\(result)}")
    }
    value = value.trimmed
    let isCredential = Self.isCredential(name, value)
    if request.pathValuesHaveSlashes, !isCredential, (table.value(of: value, in: request.scope) ?? value).contains("/")
    {
      return try table.template(value, in: request.scope, literal: Self.escaped)
    }
    let template =
      isCredential
      ? try table.credential(value, wish: name, in: request.scope) : try table.template(value, in: request.scope)
    draft.params.set(result, template.node, from: pair?.origin ?? request.origin)
    return FlowTemplate(literal: "{\(result)}")
  }

  /// A literal part of a path, in which characters that a path cannot contain are escaped.
  private static func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      // Escapes stay as they are written.
      if PercentCoding.isPathCharacter(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") {
        result.append(byte)
      } else {
        PercentCoding.appendEscape(byte, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension String {
  /// The text without white space around it.
  var trimmed: String {
    var text = Substring(self)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
