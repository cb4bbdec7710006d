internal import Fixtures
package import Importing
internal import JSONSyntax
internal import ReactorCore

extension ResponseOutline {
  /// Infers an outline from a saved response, as `reactor init` does; nil for a response that is not JSON.
  package init?(_ example: Example) {
    guard let body = try? JSONValue(parsing: example.body) else { return nil }
    let headers = Headers(example.headers.map { Headers.Field($0.name, $0.value) })
    let sample = InferredFlow(body, headers: headers)
    let pages = DraftPages(
      sample.signs, example.query.map { PageParameter(RecordedRequest.Field($0.name, $0.value)) })
    var notes = ["the records are \(sample.records): \(sample.recordsGuess)"]
    if let key = sample.key { notes.append("the key is \(key): it differs in all \(sample.count) records") }
    if let comment = pages.comment { notes.append("pages: \(comment)") }
    notes += pages.notes
    self.init(
      records: sample.records, count: sample.count, key: sample.key,
      fields: sample.fields.map { Field(name: $0.name, type: $0.keys, isOptional: $0.isOptional) }, pages: pages.text,
      total: pages.total, replaced: pages.replaced, notes: notes)
  }
}

extension InferredField {
  /// The keys of the type: one, or those of a mapping such as `[string]`.
  fileprivate var keys: [(name: String, value: String)] {
    guard type.hasPrefix("{") else { return [("type", type)] }
    return type.dropFirst(2).dropLast(2).split(separator: ", ").map { pair in
      let parts = pair.split(separator: ": ", maxSplits: 1).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}
