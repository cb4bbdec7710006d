import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the template that computes a field. Its names are checked when the record's fields are known.
  mutating func computedValue(_ value: FieldValue) -> ComputedValue? {
    guard let text = scalar(value) else { return nil }
    let scanner = TemplateScanner(text)
    var isRight = scanner.errors.isEmpty
    for fault in scanner.errors { report(fault, in: value) }
    var parts: [ComputedValue.Part] = []
    for piece in scanner.pieces {
      let start = piece.name?.lowerBound ?? 0
      switch piece.segment {
      case .text: continue
      case .secret(let name):
        refuse(secret: name, at: piece.offsets, in: value)
        isRight = false
      // The name of the root and a dot are before the member, so subtract their length.
      case .variable(let name): add("vars.\(name)", start - 5, to: &parts)
      case .environment(let name): add("env.\(name)", start - 4, to: &parts)
      case .expression(let expression):
        if let secret = expression.references.first(where: { $0.root == "secrets" }) {
          let range = secret.range
          refuse(
            secret: secret.firstMember ?? "", at: start + range.lowerBound..<start + range.upperBound, in: value)
          isRight = false
        }
        parts.append(ComputedValue.Part(expression: expression, start: start))
      }
    }
    guard isRight else { return nil }
    return ComputedValue(
      Template(scanner.pieces.map(\.segment), ranges: scanner.pieces.map { location(of: $0.offsets, in: value.node) }),
      parts,
      node: value.node)
  }

  private func add(_ text: String, _ start: Int, to parts: inout [ComputedValue.Part]) {
    guard let expression = try? Expression(parsing: text) else { return }
    parts.append(ComputedValue.Part(expression: expression, start: max(start, 0)))
  }

  private mutating func refuse(secret name: String, at offsets: Range<Int>, in value: FieldValue) {
    var range = location(of: offsets, in: value.node)
    if let start = value.node.range.file.bytes[range.offsets].firstRange(of: Array("secrets".utf8))?.lowerBound {
      range = SourceRange(file: range.file, offsets: start..<range.offsets.upperBound)
    }
    report(
      .templateSecretNotAllowed, "secret '\(name)' is not allowed in '\(value.spec.name)'", at: range,
      help: "the text becomes part of the records")
  }

  /// Checks the names that computed fields of a flow's schema take from the flow: its variables and parents' records.
  mutating func checkComputed(_ schema: SchemaDeclaration, at owner: FieldValue) {
    let names = owner.scope
    let isHere = owner.node.isMapping
    for field in schema.fields {
      guard let value = field.value else { continue }
      var scope = names.type
      scope["secrets"] = nil
      scope["record"] = .object(ExpressionType.Object(schema.fields.filter { $0.name != field.name }.map(\.member)))
      scope["source"] = .dynamic
      for part in value.parts {
        if names.file.hasInvalidNames, part.expression.references.contains(where: { $0.root == "vars" }) { continue }
        if names.mayHaveMore, part.expression.references.contains(where: { scope[$0.root] == nil }) { continue }
        if isHere {
          diagnostics.report(errorsOf: part, in: value, scope)
        } else {
          computedErrors.report(errorsOf: part, in: value, scope, at: owner.node.range)
        }
      }
    }
  }
}

extension YAMLNode {
  fileprivate var isMapping: Bool { if case .mapping = content { true } else { false } }
}
