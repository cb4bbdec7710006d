public import SourceDiagnostics
internal import Expressions
internal import YAMLSyntax

/// A template over the record's other fields, which computes a field.
public struct ComputedValue: Sendable {
  /// The template.
  public let template: Template
  /// Where it was written.
  public var range: SourceRange { node.range }

  /// An expression, and where its text begins in the template's.
  struct Part: Sendable {
    var expression: Expression
    var start: Int
  }

  let parts: [Part]
  private let node: YAMLNode

  init(_ template: Template, _ parts: [Part], node: YAMLNode) {
    self.template = template
    self.parts = parts
    self.node = node
  }

  /// The names that its expressions use.
  var references: [Expression.Reference] { parts.flatMap(\.expression.references) }

  /// The source location of some bytes of a part's text.
  func location(of offsets: Range<Int>, in part: Part) -> SourceRange {
    guard case .scalar(let scalar) = node.content else { return node.range }
    return ScalarRanges(scalar, at: node.range)
      .range(of: part.start + offsets.lowerBound..<part.start + offsets.upperBound)
  }
}
