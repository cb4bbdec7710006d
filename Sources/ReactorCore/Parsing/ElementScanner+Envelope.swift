internal import JSONSyntax

/// Reads the text around the records.
extension ElementScanner {
  /// Reads one unit: a bracket, a separator, or a member with its value.
  ///
  /// Returns the token after the unit, or nil when the end of the window may cut off the unit.
  func unit(_ tokens: JSONTokens, _ token: Int, isFinal: Bool) throws(JSONError) -> Int? {
    if token >= tokens.count {
      guard isFinal else { return nil }
      if case .end = state { return nil }
      throw tokens.unexpected(token, "more")
    }
    switch state {
    case .value(let step):
      return try value(tokens, token, step: step, isFinal: isFinal)
    case .member(let isFirst):
      if isFirst, tokens.first(token) == UInt8(ascii: "}") { return close(token) }
      return try member(tokens, token, isFinal: isFinal)
    case .element(let isFirst):
      if isFirst, tokens.first(token) == UInt8(ascii: "]") { return close(token) }
      return try element(tokens, token, isFinal: isFinal)
    case .recordMember(let isFirst):
      return try recordMember(tokens, token, isFirst: isFirst, isFinal: isFinal)
    case .separator:
      guard let level = levels.last else { throw tokens.unexpected(token, "the end of the text") }
      if tokens.first(token) == UInt8(ascii: ",") {
        state = level.isObject ? .member(isFirst: false) : .element(isFirst: false)
        return token + 1
      }
      guard tokens.first(token) == (level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw tokens.unexpected(token, level.isObject ? "',' or '}'" : "',' or ']'")
      }
      return close(token)
    case .end:
      throw JSONError("text after the end of the value", at: tokens.start(token))
    case .record, .line:
      return nil
    }
  }

  private func close(_ token: Int) -> Int {
    levels.removeLast()
    state = levels.isEmpty ? .end : .separator
    return token + 1
  }

  /// Reads a value on the path: a container to enter, or the records themselves.
  private func value(_ tokens: JSONTokens, _ token: Int, step: Int, isFinal: Bool) throws(JSONError) -> Int? {
    let first = tokens.first(token)
    guard step == steps.count else {
      switch (steps[step], first) {
      case (.name, UInt8(ascii: "{")):
        levels.append(Level(isObject: true, step: step))
        state = .member(isFirst: true)
        return token + 1
      case (.index, UInt8(ascii: "[")):
        levels.append(Level(isObject: false, step: step))
        state = .element(isFirst: true)
        return token + 1
      default:
        // The path cannot continue here. The value is read, and no records are found in it.
        let next = try tokens.skip(token, depth: levels.count)
        guard next < tokens.count || isFinal else { return nil }
        state = levels.isEmpty ? .end : .separator
        skippedValue = token
        return next
      }
    }
    guard !found else {
      throw JSONError("the path of the records occurs twice in the response", at: tokens.start(token))
    }
    if first == UInt8(ascii: "[") {
      found = true
      state = .record(isFirst: true)
      return token + 1
    }
    if case .array = selection {
      guard let kind = tokens.kind(token) else { throw tokens.unexpected(token, "a value") }
      rejection = .notAnArray(kind, at: steps)
      throw JSONError("expected an array", at: tokens.start(token))
    }
    if case .elements = selection, first == UInt8(ascii: "{") {
      found = true
      levels.append(Level(isObject: true, step: nil))
      state = .recordMember(isFirst: true)
      return token + 1
    }
    let next: Int
    if first == UInt8(ascii: "n"), !steps.isEmpty {
      next = try tokens.skip(token)
      guard next < tokens.count || isFinal else { return nil }
    } else {
      if case .elements = selection {
        throw JSONError("expected an array or an object where the records are", at: tokens.start(token))
      }
      // The end of the window may cut off a scalar. A container is complete when its bracket is in the window.
      let isContainer = first == UInt8(ascii: "{")
      guard isFinal || isContainer || token + 1 < tokens.count else { return nil }
      next = try single(tokens, token)
    }
    found = true
    state = levels.isEmpty ? .end : .separator
    return next
  }

  private func member(_ tokens: JSONTokens, _ token: Int, isFinal: Bool) throws(JSONError) -> Int? {
    guard tokens.first(token) == UInt8(ascii: "\"") else { throw tokens.unexpected(token, "a member name in quotes") }
    let name = try tokens.string(token)
    guard tokens.first(token + 1) == UInt8(ascii: ":") else { throw tokens.unexpected(token + 1, "':'") }
    if let step = levels[levels.count - 1].step, case .name(let wanted) = steps[step], matches(tokens, name, wanted) {
      state = .value(step: step + 1)
      return token + 2
    }
    return try skipped(tokens, token + 2, isFinal: isFinal)
  }

  private func element(_ tokens: JSONTokens, _ token: Int, isFinal: Bool) throws(JSONError) -> Int? {
    let top = levels.count - 1
    if let step = levels[top].step, case .index(let wanted) = steps[step], levels[top].index == wanted {
      levels[top].index += 1
      levels[top].step = nil
      state = .value(step: step + 1)
      return token
    }
    guard let next = try skipped(tokens, token, isFinal: isFinal) else { return nil }
    levels[top].index += 1
    return next
  }

  private func skipped(_ tokens: JSONTokens, _ token: Int, isFinal: Bool) throws(JSONError) -> Int? {
    let next = try tokens.skip(token, depth: levels.count)
    guard next < tokens.count || isFinal else { return nil }
    state = .separator
    skippedValue = token
    return next
  }

  /// Reads a member of the records' object: its value is a record, and its name is dropped.
  private func recordMember(
    _ tokens: JSONTokens, _ token: Int, isFirst: Bool, isFinal: Bool
  ) throws(JSONError) -> Int? {
    if isFirst, tokens.first(token) == UInt8(ascii: "}") { return close(token) }
    isRecordUnit = true
    guard tokens.first(token) == UInt8(ascii: "\"") else { throw tokens.unexpected(token, "a member name in quotes") }
    _ = try tokens.string(token)
    guard tokens.first(token + 1) == UInt8(ascii: ":") else { throw tokens.unexpected(token + 1, "':'") }
    let end = try tokens.skip(token + 2, depth: levels.count)
    guard end < tokens.count || isFinal else { return nil }
    let next = try single(tokens, token + 2)
    if tokens.first(next) == UInt8(ascii: ",") {
      state = .recordMember(isFirst: false)
      return next + 1
    }
    guard tokens.first(next) == UInt8(ascii: "}") else { throw tokens.unexpected(next, "',' or '}'") }
    envelope.append(UInt8(ascii: "}"))
    return close(next)
  }

  private func matches(_ tokens: JSONTokens, _ name: StringToken, _ wanted: String) -> Bool {
    let content = UnsafeBufferPointer(start: tokens.base + name.start, count: name.length)
    guard name.hasEscapes else { return content.elementsEqual(wanted.utf8) }
    let text = ByteBuffer(capacity: name.length)
    return EscapedText.unescape(content, into: text) && text.withBytes { $0.elementsEqual(wanted.utf8) }
  }

  /// Returns the error of malformed text, with its offset in the whole response.
  func syntaxError(_ error: JSONError) -> ReactorError {
    if let rejection { return rejection }
    if case .end = state, isLine(at: error.offset) { return .jsonLines }
    let position = windowStart + error.offset
    if position == 0 || (total == 0 && !found && error.offset < 16) {
      let start = TextExcerpt.quoted(window.bytes, from: 0)
      if window.count == 0 { return .parser("the response is empty where JSON should be") }
      if window.bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
        let head = Array(window.bytes.prefix(HTMLPage.longestHead))
        return HTMLPage.isPage(head) == true ? HTMLPage.refusal(head, insteadOf: "JSON") : .markup
      }
      return .broken(
        "the response is not JSON: \(error.message) at byte \(position); it begins with \(start)", by: error)
    }
    return .broken("the response is broken JSON: \(error.message) at byte \(position)", by: error)
  }

  /// Returns whether another JSON value begins on a new line after the first value.
  private func isLine(at offset: Int) -> Bool {
    window.withBytes { bytes in
      guard bytes.indices.contains(offset), bytes[offset] == UInt8(ascii: "{") || bytes[offset] == UInt8(ascii: "[")
      else {
        return false
      }
      let before = bytes[..<offset].reversed().prefix { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }
      return before.contains(0x0A)
    }
  }

  func missingRecords() -> ReactorError {
    let path = JSONPath(singular: steps).text
    guard hasEnvelope, let root = try? JSONValue(parsing: envelope.copy()) else { return .noRecords(at: path) }
    return .noRecords(at: path, steps, isElements: selection.isElements, in: root)
  }
}
