internal import ByteCodings

/// A request from a `curl` command line, as browsers copy it.
package struct CurlCommand: Sendable, Hashable {
  /// The method; `GET` unless data or `-X` require another method.
  package var method: String
  /// The URL.
  package var url: String
  /// The header fields in order.
  package var headers: [RecordedRequest.Field] = []
  /// The body of the request.
  package var body: String?
  /// The options that are not supported.
  package var ignored: [String] = []

  /// Creates a plain `GET` request of a URL.
  package init(url: String) {
    method = "GET"
    self.url = url
  }

  /// Parses a command line with the quoting of a shell.
  package init(_ text: String) throws(FixtureError) {
    var words = try Self.words(text)[...]
    guard words.popFirst() == "curl" else { throw FixtureError("a curl command line begins with 'curl'") }
    var method: String?
    var url: String?
    var data: [String] = []
    var isGet = false
    while let word = words.popFirst() {
      func value() throws(FixtureError) -> String {
        guard let value = words.popFirst() else { throw FixtureError("'\(word)' of the curl command has no value") }
        return value
      }
      switch word {
      case "-X", "--request": method = try value()
      case "-H", "--header":
        let line = try value()
        guard let colon = line.firstIndex(of: ":") else { continue }
        headers.append(
          .init(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " })))
      case "-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode": data.append(try value())
      case "--json":
        data.append(try value())
        headers.append(.init("Content-Type", "application/json"))
      case "-G", "--get": isGet = true
      case "-u", "--user":
        headers.append(.init("Authorization", "Basic " + Base64.encode(Array(try value().utf8))))
      case "--oauth2-bearer": headers.append(.init("Authorization", "Bearer " + (try value())))
      case "-A", "--user-agent": headers.append(.init("User-Agent", try value()))
      case "-b", "--cookie": headers.append(.init("Cookie", try value()))
      case "-e", "--referer": headers.append(.init("Referer", try value()))
      case "--url": url = try value()
      case "-o", "--output", "-m", "--max-time", "--connect-timeout", "-x", "--proxy", "--retry", "-w", "--write-out":
        _ = try value()
        ignored.append(word)
      default:
        if word.hasPrefix("-"), word.count > 1 {
          ignored.append(word)
        } else if url == nil {
          url = word
        }
      }
    }
    guard var url else { throw FixtureError("the curl command names no URL") }
    if !url.contains("://") { url = "http://" + url }
    if isGet, !data.isEmpty {
      url += (url.contains("?") ? "&" : "?") + data.joined(separator: "&")
    } else if !data.isEmpty {
      body = data.joined(separator: "&")
    }
    self.url = url
    self.method = method ?? (body == nil ? "GET" : "POST")
  }

  /// Splits a line into words like a POSIX shell. Variables and commands in it are not expanded.
  static func words(_ text: String) throws(FixtureError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      index = text.index(after: index)
      switch (quote, character) {
      case (nil, "\\"), ("\"", "\\"):
        guard index < text.endIndex else { break }
        let next = text[index]
        index = text.index(after: index)
        if next == "\n" || next == "\r\n" { break }
        let keeps = quote != nil && !["\"", "\\", "$", "`"].contains(next)
        word = (word ?? "") + (keeps ? "\\" : "") + String(next)
      case (nil, "'"), (nil, "\""):
        quote = character
        word = word ?? ""
        if character == "'", word == "$" {
          // Browsers write a text with a quote in it as `$'…'`.
          word = ""
        }
      case (nil, " "), (nil, "\n"), (nil, "\t"), (nil, "\r\n"):
        if let ended = word { words.append(ended) }
        word = nil
      case (.some(let open), character) where open == character: quote = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw FixtureError("a quote of the curl command is not closed") }
    if let word { words.append(word) }
    return words
  }
}
