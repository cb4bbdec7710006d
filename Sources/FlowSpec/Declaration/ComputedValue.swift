internal import Expressions
package import FlowModel
package import SourceDiagnostics
internal import YAMLSyntax

/// A template that computes a field from the record's other fields.
package struct ComputedValue: Sendable {
  /// The template whose value becomes the value of the field.
  package let template: Template
  /// The source location of the template.
  package var range: SourceRange { node.range }

  /// An expression of the template, and the byte offset of its text in the template's text.
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

  /// The names that the template's expressions use.
  var references: [Expression.Reference] { parts.flatMap(\.expression.references) }

  /// The source location of a byte range in the text of an expression.
  func location(of offsets: Range<Int>, in part: Part) -> SourceRange {
    guard case .scalar(let scalar) = node.content else { return node.range }
    return ScalarRanges(scalar, at: node.range)
      .range(of: part.start + offsets.lowerBound..<part.start + offsets.upperBound)
  }
}
