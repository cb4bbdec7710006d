import Importing
import JSONSyntax
import Testing

/// One part of a file, and what it becomes.
struct ImportCase: CustomTestStringConvertible, Sendable {
  let name: String
  let source: String
  /// Texts that the flow file has.
  var has: [String] = []
  /// Texts that it does not have.
  var lacks: [String] = []
  /// The kinds of its losses, in order.
  var losses: [ImportReport.Kind] = []
  var testDescription: String { name }

  init(
    _ name: String, _ source: String, has: [String] = [], lacks: [String] = [], losses: [ImportReport.Kind] = []
  ) {
    self.name = name
    self.source = source
    self.has = has
    self.lacks = lacks
    self.losses = losses
  }

  /// Expects what the case says of an import.
  func verify(_ imported: Imported, sourceLocation: SourceLocation = #_sourceLocation) {
    for text in has {
      #expect(
        imported.text.contains(text), "'\(text)' is missing in\n\(imported.text)", sourceLocation: sourceLocation)
    }
    for text in lacks {
      #expect(!imported.text.contains(text), "'\(text)' is in\n\(imported.text)", sourceLocation: sourceLocation)
    }
    #expect(
      imported.report.losses.map(\.kind) == losses, "\(imported.report.losses)\n\(imported.text)",
      sourceLocation: sourceLocation)
    // A flow is complete exactly when nothing of it is lost.
    let lost = Set(imported.report.losses.compactMap(\.flow))
    #expect(lost.isDisjoint(with: imported.report.complete), sourceLocation: sourceLocation)
  }
}

extension JSONValue {
  /// The whole value as JSON.
  var text: String { String(decoding: JSONWriter.bytes(self), as: UTF8.self) }
}
