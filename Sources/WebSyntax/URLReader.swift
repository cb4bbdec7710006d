internal import ByteCodings

/// Reads one URL.
///
/// The URL standard describes the parser as a state machine. Here, each state is a function that parses the rest of the
/// input.
struct URLReader {
  /// The text as UTF-8, without white space at its ends and without tabs and line ends.
  private let input: [UInt8]
  private let allowsZone: Bool
  private var position = 0

  init(_ text: String, allowsZone: Bool) {
    self.allowsZone = allowsZone
    let bytes = Array(text.utf8)
    var start = 0
    var end = bytes.count
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    input = bytes[start..<end].filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
  }

  mutating func read(relativeTo base: WebURL?) throws(WebURLError) -> WebURL {
    if let scheme = takeScheme() { return try readAfter(scheme: scheme, base: base) }
    guard let base else { throw .relativeWithoutBase }
    guard base.opaquePath == nil else {
      guard byte == UInt8(ascii: "#") else { throw .relativeWithoutBase }
      var url = base
      readQueryAndFragment(into: &url)
      return url
    }
    return base.scheme == "file" ? try readFile(base: base) : try readRelative(to: base)
  }

  // MARK: - Start

  private mutating func readAfter(scheme: String, base: WebURL?) throws(WebURLError) -> WebURL {
    if scheme == "file" { return try readFile(base: base?.scheme == "file" ? base : nil) }
    if WebURL.isSpecial(scheme) {
      let slashes = byte == UInt8(ascii: "/") && byte(at: position + 1) == UInt8(ascii: "/")
      if !slashes, let base, base.scheme == scheme { return try readRelative(to: base) }
      return try readAfterSlashes(scheme: scheme)
    }
    var url = WebURL(scheme: scheme)
    guard byte == UInt8(ascii: "/") else {
      readOpaquePath(into: &url)
      return url
    }
    position += 1
    if byte == UInt8(ascii: "/") {
      position += 1
      try readAuthority(into: &url)
      readPathStart(into: &url)
    } else {
      readPath(into: &url)
    }
    return url
  }

  /// Reads the authority of a URL with a special scheme, such as http, after any number of slashes and backslashes.
  private mutating func readAfterSlashes(scheme: String) throws(WebURLError) -> WebURL {
    while isSlash(byte, special: true) { position += 1 }
    var url = WebURL(scheme: scheme)
    try readAuthority(into: &url)
    readPathStart(into: &url)
    return url
  }

  private mutating func readRelative(to base: WebURL) throws(WebURLError) -> WebURL {
    let special = WebURL.isSpecial(base.scheme)
    var url = base
    url.fragment = nil
    guard isSlash(byte, special: special) else {
      readRelativePath(into: &url)
      return url
    }
    position += 1
    if special, isSlash(byte, special: true) {
      return try readAfterSlashes(scheme: base.scheme)
    }
    if byte == UInt8(ascii: "/") {
      position += 1
      url = WebURL(scheme: base.scheme)
      try readAuthority(into: &url)
      readPathStart(into: &url)
      return url
    }
    url.query = nil
    url.segments = []
    readPath(into: &url)
    return url
  }

  /// Reads a reference without a leading slash.
  ///
  /// Depending on its form, the reference replaces the base's path from the last segment on, the query, or only the
  /// fragment.
  private mutating func readRelativePath(into url: inout WebURL) {
    switch byte {
    case nil, UInt8(ascii: "#"), UInt8(ascii: "?"): readQueryAndFragment(into: &url)
    default:
      url.query = nil
      url.shortenPath()
      readPath(into: &url)
    }
  }

  private mutating func readFile(base: WebURL?) throws(WebURLError) -> WebURL {
    var url = WebURL(scheme: "file")
    url.host = ""
    guard isSlash(byte, special: true) else {
      guard let base else {
        readPath(into: &url)
        return url
      }
      url = base
      url.fragment = nil
      if DriveLetter.begins(input[position...]) {
        url.segments = []
        url.query = nil
        readPath(into: &url)
      } else {
        readRelativePath(into: &url)
      }
      return url
    }
    position += 1
    if isSlash(byte, special: true) {
      position += 1
      try readFileHost(into: &url)
      return url
    }
    if let base {
      url.host = base.host
      if !DriveLetter.begins(input[position...]), let first = base.segments.first,
        DriveLetter.isNormalized(first.utf8)
      {
        url.segments = [first]
      }
    }
    readPath(into: &url)
    return url
  }

  private mutating func readFileHost(into url: inout WebURL) throws(WebURLError) {
    let text = input[position..<authorityEnd(special: true)]
    // Text that looks like a drive letter belongs to the path, not to the host.
    if text.count == 2, DriveLetter.isWritten(text) { return readPath(into: &url) }
    position = text.endIndex
    if !text.isEmpty {
      let host = try URLHost.parse(text, special: true, allowsZone: false)
      url.host = host == "localhost" ? "" : host
    }
    readPathStart(into: &url)
  }

  // MARK: - Parts

  /// Reads the scheme and its colon; when there is none, returns nil and reads nothing.
  private mutating func takeScheme() -> String? {
    guard let first = input.first, ASCII.isLetter(first) else { return nil }
    let end = input.firstIndex {
      !ASCII.isLetter($0) && !ASCII.isDigit($0) && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-")
        && $0 != UInt8(ascii: ".")
    }
    guard let end, input[end] == UInt8(ascii: ":") else { return nil }
    position = end + 1
    return String(decoding: input[..<end].map(ASCII.lowercased), as: UTF8.self)
  }

  /// Reads user information, host and port, up to the path.
  private mutating func readAuthority(into url: inout WebURL) throws(WebURLError) {
    let special = WebURL.isSpecial(url.scheme)
    var rest = input[position..<authorityEnd(special: special)]
    position = rest.endIndex
    if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
      let user = rest[..<at]
      rest = rest[(at + 1)...]
      guard !rest.isEmpty else { throw .credentialsWithoutHost }
      let colon = user.firstIndex(of: UInt8(ascii: ":")) ?? user.endIndex
      url.username = PercentEncodeSet.userinfo.encoded(user[..<colon])
      url.password = PercentEncodeSet.userinfo.encoded(user[colon...].dropFirst())
    }
    let colon = portColon(in: rest)
    let host = rest[..<(colon ?? rest.endIndex)]
    if host.isEmpty, special || colon != nil { throw .missingHost }
    url.host = try URLHost.parse(host, special: special, allowsZone: allowsZone)
    if let colon { url.port = try port(rest[(colon + 1)...], scheme: url.scheme) }
  }

  /// The index of the colon before the port: the first colon outside brackets.
  private func portColon(in text: ArraySlice<UInt8>) -> Int? {
    var inBrackets = false
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "["): inBrackets = true
      case UInt8(ascii: "]"): inBrackets = false
      case UInt8(ascii: ":") where !inBrackets: return index
      default: break
      }
    }
    return nil
  }

  private func port(_ digits: ArraySlice<UInt8>, scheme: String) throws(WebURLError) -> Int? {
    var number = 0
    for digit in digits {
      guard ASCII.isDigit(digit) else { throw .port }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
      guard number <= 65535 else { throw .port }
    }
    return digits.isEmpty || number == WebURL.defaultPort(of: scheme) ? nil : number
  }

  /// Reads the path after an authority; a special URL always has a path.
  private mutating func readPathStart(into url: inout WebURL) {
    let special = WebURL.isSpecial(url.scheme)
    if isSlash(byte, special: special) {
      position += 1
      readPath(into: &url)
    } else if special {
      readPath(into: &url)
    } else {
      // After the authority of a URL that is not special, only a path, a query, a fragment or the end can follow.
      readQueryAndFragment(into: &url)
    }
  }

  /// Reads path segments, starting with the first one, and then the query and fragment.
  private mutating func readPath(into url: inout WebURL) {
    let special = WebURL.isSpecial(url.scheme)
    while true {
      let start = position
      while let byte, byte != UInt8(ascii: "?"), byte != UInt8(ascii: "#"), !isSlash(byte, special: special) {
        position += 1
      }
      let endsInSlash = isSlash(byte, special: special)
      append(input[start..<position], endsInSlash: endsInSlash, to: &url)
      guard endsInSlash else { break }
      position += 1
    }
    readQueryAndFragment(into: &url)
  }

  private func append(_ segment: ArraySlice<UInt8>, endsInSlash: Bool, to url: inout WebURL) {
    switch DotSegment(segment) {
    case .parent:
      url.shortenPath()
      if !endsInSlash { url.segments.append("") }
    case .current:
      if !endsInSlash { url.segments.append("") }
    case nil:
      if url.scheme == "file", url.segments.isEmpty, segment.count == 2, DriveLetter.isWritten(segment) {
        url.segments.append(String(decoding: [segment[segment.startIndex], UInt8(ascii: ":")], as: UTF8.self))
      } else {
        url.segments.append(PercentEncodeSet.path.encoded(segment))
      }
    }
  }

  private mutating func readOpaquePath(into url: inout WebURL) {
    let end = input[position...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? input.count
    var path = PercentEncodeSet.controls.encoded(input[position..<end])
    // Reading the URL again without query and fragment would trim a space at the end, so the space is escaped.
    if end < input.count, path.hasSuffix(" ") { path = path.dropLast() + "%20" }
    url.opaquePath = path
    position = end
    readQueryAndFragment(into: &url)
  }

  private mutating func readQueryAndFragment(into url: inout WebURL) {
    if byte == UInt8(ascii: "?") {
      let end = input[position...].firstIndex(of: UInt8(ascii: "#")) ?? input.count
      let set: PercentEncodeSet = WebURL.isSpecial(url.scheme) ? .specialQuery : .query
      url.query = set.encoded(input[(position + 1)..<end])
      position = end
    }
    if byte == UInt8(ascii: "#") {
      url.fragment = PercentEncodeSet.fragment.encoded(input[(position + 1)...])
      position = input.count
    }
  }

  // MARK: - Bytes

  private var byte: UInt8? { byte(at: position) }

  private func byte(at index: Int) -> UInt8? { index < input.count ? input[index] : nil }

  private func isSlash(_ byte: UInt8?, special: Bool) -> Bool {
    byte == UInt8(ascii: "/") || special && byte == UInt8(ascii: "\\")
  }

  private func authorityEnd(special: Bool) -> Int {
    input[position...].firstIndex {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        || special && $0 == UInt8(ascii: "\\")
    } ?? input.count
  }
}
