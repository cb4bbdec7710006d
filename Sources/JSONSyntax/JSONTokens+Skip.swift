extension JSONTokens {
  /// Checks that the value that starts at a token is valid JSON; returns the index of the token after the value.
  ///
  /// No value is built. If the window ends inside the value, the error is at the last token or after it.
  public func skip(_ token: Int, depth: Int = 0) throws(JSONError) -> Int {
    switch first(token) {
    case UInt8(ascii: "\""):
      _ = try string(token)
      return token + 1
    case UInt8(ascii: "{"):
      return try skipObject(token, depth: depth)
    case UInt8(ascii: "["):
      return try skipArray(token, depth: depth)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      try checkLiteral(token)
      return token + 1
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      _ = try number(token)
      return token + 1
    default:
      throw unexpected(token, "a value")
    }
  }

  private func skipObject(_ open: Int, depth: Int) throws(JSONError) -> Int {
    try checkDepth(depth, open)
    var token = open + 1
    if first(token) == UInt8(ascii: "}") { return token + 1 }
    while true {
      guard first(token) == UInt8(ascii: "\"") else { throw unexpected(token, "a member name in quotes") }
      _ = try string(token)
      guard first(token + 1) == UInt8(ascii: ":") else { throw unexpected(token + 1, "':'") }
      token = try skip(token + 2, depth: depth + 1)
      let next = first(token)
      token += 1
      if next == UInt8(ascii: ",") { continue }
      if next == UInt8(ascii: "}") { return token }
      throw unexpected(token - 1, "',' or '}'")
    }
  }

  private func skipArray(_ open: Int, depth: Int) throws(JSONError) -> Int {
    try checkDepth(depth, open)
    var token = open + 1
    if first(token) == UInt8(ascii: "]") { return token + 1 }
    while true {
      token = try skip(token, depth: depth + 1)
      let next = first(token)
      token += 1
      if next == UInt8(ascii: ",") { continue }
      if next == UInt8(ascii: "]") { return token }
      throw unexpected(token - 1, "',' or ']'")
    }
  }

  /// Throws if a container at this depth exceeds the nesting limit.
  @inlinable @inline(__always)
  public func checkDepth(_ depth: Int, _ token: Int) throws(JSONError) {
    guard depth < Self.depthLimit else { throw tooDeep(token) }
  }

  @usableFromInline
  func tooDeep(_ token: Int) -> JSONError {
    JSONError("arrays and objects are nested more than \(Self.depthLimit) levels deep", at: start(token))
  }

  /// The error for a token that the grammar does not allow at its position.
  public func unexpected(_ token: Int, _ wanted: String) -> JSONError {
    let position = start(min(token, count))
    guard position < length else {
      return JSONError("the text ends where \(wanted) should be", at: length, endsEarly: true)
    }
    return JSONError("expected \(wanted)", at: position)
  }
}
