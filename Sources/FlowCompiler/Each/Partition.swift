internal import JSONSyntax

/// One combination of the parents' records: what one request, or one row of pages, is made for.
struct Partition: Sendable {
  /// Its place among all, from 0.
  var place: Int
  /// A record or value of each parent under the parent's name, in the order of the parents.
  var values: [(name: String, value: JSONValue)]

  /// The values for people: `{"id":7}`, or with several parents `parent {"id":7}, status open`; cut when they are long.
  var words: String {
    let texts = values.map { name, value in
      let text = String(decoding: JSONWriter.bytes(value).prefix(200), as: UTF8.self)
      let short = text.count > 80 ? text.prefix(79) + "…" : text
      return values.count == 1 ? short : "\(name) \(short)"
    }
    return texts.joined(separator: ", ")
  }
}
