internal import JSONSyntax
internal import Records

extension OpenAPIReader {
  /// Returns the signs of further pages in a response that the document describes.
  func signs(_ response: JSONValue, _ sample: InferredFlow?) -> DraftPages.Signs {
    var signs = DraftPages.Signs()
    signs.isList = sample?.signs.isList ?? false
    if case .object(let headers)? = response["headers"] {
      signs.hasLink = headers.members.contains { $0.name.lowercased() == "link" }
      signs.urlHeader = headers.members.first { Self.urlHeaders.contains(DraftText.plain($0.name)) }?.name
    }
    if signs.isList, let schema = content(response) {
      let lists = lists(properties(schema)).map(\.name)
      let envelope = properties(schema).filter { !lists.contains($0.name) }
      signs.hint = NextPageHint(in: example(envelope, depth: 0), count: 1)
    }
    return signs
  }

  /// Creates an example of a first page with many pages after it.
  ///
  /// The example lets the same code find paging hints in a described and in a real response.
  private func example(_ members: [JSONObject.Member], depth: Int) -> JSONValue {
    .object(
      JSONObject(
        members.compactMap { member in
          example(member.name, resolved(member.value), depth: depth).map {
            JSONObject.Member(name: member.name, value: $0)
          }
        }))
  }

  private func example(_ name: String, _ schema: JSONValue, depth: Int) -> JSONValue? {
    let plain = DraftText.plain(name)
    func has(_ words: String...) -> Bool { words.contains { plain.contains($0) } }
    switch schema["type"]?.string ?? schema["type"]?.array?.first(where: { $0.string != "null" })?.string {
    case "boolean": return .bool(!has("last", "done", "end"))
    case "integer", "number":
      let isTotal = has("total", "count", "found") || plain.hasPrefix("num") && plain != "number"
      let isPages = plain.hasSuffix("pages") || plain.hasPrefix("last") || plain.hasPrefix("max")
      return .integer(isTotal || isPages ? 1000 : 1)
    case "string":
      let isURL =
        ["uri", "url", "uri-reference"].contains(schema["format"]?.string) || has("url", "uri", "link", "href")
      // A `next` without a format is as often a URL as a token. If it is a token, the first run reports that.
      return .string(isURL || plain == "next" ? "/next" : "token")
    default:
      let members = properties(schema)
      return members.isEmpty || depth > 3 ? nil : example(members, depth: depth + 1)
    }
  }

  /// Names of headers that contain the URL of the next page.
  private static let urlHeaders: Set<String> = [
    "next", "nextlink", "nexturl", "xnext", "xnextlink", "xnextpageurl", "xnexturl",
  ]
}
