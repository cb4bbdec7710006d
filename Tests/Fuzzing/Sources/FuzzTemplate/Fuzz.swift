import FlowModel
@testable import FlowSpec
import FuzzSupport

/// A template: its pieces cover it, and what it is filled with is never filled in again.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  guard let text = String(validating: bytes, as: UTF8.self) else { return 0 }
  let scanner = TemplateScanner(text)
  var end = 0
  for piece in scanner.pieces {
    require(piece.offsets.lowerBound >= end && piece.offsets.upperBound <= bytes.count, "pieces overlap")
    end = piece.offsets.upperBound
    // Planted: an expression takes a byte of what follows.
    if Plant.isSet, case .expression = piece.segment { end += 1 }
  }
  let value = "{{ secrets.A }}"
  let scope = ResolutionScope(
    variables: (try? VariableValue(reading: value, as: .string)).map { ["a": $0] } ?? [:],
    secrets: ["A": Secret("s3cr3t")],
    environment: ["A": value])
  let template = Template(scanner.pieces.map(\.segment))
  for destination in [Template.Destination.line, .body] {
    guard let resolved = try? template.resolve(with: scope, for: destination) else { continue }
    require(resolved.isSecret || !resolved.text.contains("s3cr3t") || text.contains("s3cr3t"), "filled in twice")
    require(!resolved.text.utf8.contains(0) || text.utf8.contains(0), "a NUL from a value")
  }
  _ = try? template.resolveJSON(with: scope)
  if !TemplateScanner.hasTemplate(text) {
    require(Template(text: text).constantText == text, "plain text was changed")
  }
  return 0
}
