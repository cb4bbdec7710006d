internal import Expressions
internal import FieldTypes
internal import FlowModel
internal import SourceDiagnostics
internal import YAMLSyntax

/// Checks the computed fields of a schema, and infers the types of computed fields that declare no type.
///
/// Names that only a flow knows, such as `vars` and `parent`, have no known type here. They are checked when the flow
/// is read.
struct ComputedTypes {
  private(set) var fields: [FieldDeclaration]
  private(set) var diagnostics = DiagnosticBag()
  private let inferred: Set<String>
  private let computed: Set<String>

  init(_ fields: [FieldDeclaration], inferred: Set<String>) {
    self.fields = fields
    self.inferred = inferred
    computed = Set(fields.filter { $0.value != nil }.map(\.name))
  }

  /// Checks each computed field after the computed fields on which it depends, so that their types are known.
  mutating func resolve() {
    var open = fields.indices.filter { fields[$0].value != nil }
    var done: Set<String> = []
    while !open.isEmpty {
      guard let next = open.firstIndex(where: { needs(fields[$0]).isSubset(of: done) }) else {
        return reportCycle(among: open)
      }
      let index = open.remove(at: next)
      done.insert(fields[index].name)
      check(index)
    }
  }

  /// The computed fields on which a field depends. An expression that uses the whole record depends on all other
  /// computed fields.
  private func needs(_ field: FieldDeclaration) -> Set<String> {
    var needs: Set<String> = []
    for reference in field.value?.references ?? [] where reference.root == "record" {
      if let member = reference.firstMember {
        if computed.contains(member) { needs.insert(member) }
      } else {
        needs.formUnion(computed.filter { $0 != field.name })
      }
    }
    return needs
  }

  private mutating func reportCycle(among open: [Int]) {
    // Each of these fields depends on another one of them, so a path from any of them reaches a cycle.
    var way: [FieldDeclaration] = []
    var index = open.first
    while let here = index, !way.contains(where: { $0.name == fields[here].name }) {
      way.append(fields[here])
      let needed = needs(fields[here])
      index = open.first { needed.contains(fields[$0].name) }
    }
    guard let index, let start = way.firstIndex(where: { $0.name == fields[index].name }) else { return }
    let circle = way[start...]
    guard let first = circle.first else { return }
    let names = circle.map(\.name) + [first.name]
    diagnostics.report(
      Diagnostic(
        .computedCycle,
        circle.count == 1
          ? "field '\(first.name)' is computed from itself"
          : "fields are computed from each other: \(names.joined(separator: " → "))",
        at: first.value?.range ?? first.range,
        notes: circle.dropFirst().map {
          Diagnostic.Note("'\($0.name)' is computed here", at: $0.value?.range ?? $0.range)
        },
        help: "read one of them from the response, or compute it from other fields"))
  }

  private mutating func check(_ index: Int) {
    guard let value = fields[index].value else { return }
    var scope = ExpressionScopeType(help: "allowed here are record and source")
    let others = fields.indices.filter { $0 != index }.map { fields[$0].member }
    scope["record"] = .object(ExpressionType.Object(others))
    scope["source"] = .dynamic
    for part in value.parts {
      for reference in part.expression.references where scope[reference.root] == nil {
        // A name of the flow, unless it is the end of a name with hyphens.
        let isPart = reference.members.isEmpty && part.expression.hyphenatedName(at: reference.range) != nil
        if !isPart { scope[reference.root] = .dynamic }
      }
    }
    let before = diagnostics.diagnostics.count
    var type = ExpressionType.string
    let isWhole = value.template.segments.count == 1
    for part in value.parts {
      diagnostics.report(errorsOf: part, in: value, scope)
      guard diagnostics.diagnostics.count == before else { continue }
      let (found, _) = part.expression.check(scope)
      type = isWhole ? found : type
      let whole = value.location(of: 0..<part.expression.text.utf8.count, in: part)
      if found.mayBeMissing, !isWhole || fields[index].missing.isRequired {
        diagnostics.report(
          Diagnostic(
            .expressionMissing, "'\(part.expression.text)' may be missing", at: whole,
            help: "give a default: coalesce(\(part.expression.text), …)" + (isWhole ? ", or add 'optional: true'" : ""))
        )
      } else if !isWhole, !found.hasText {
        diagnostics.report(
          Diagnostic(
            .expressionType, "'\(part.expression.text)' is \(found), which cannot be written as text", at: whole,
            help: "choose a member, join a list with join(…), or write JSON with to_json(…)"))
      } else if !inferred.contains(fields[index].name), isWhole, !fields[index].type.canHold(found) {
        diagnostics.report(
          Diagnostic(
            .expressionType,
            "'\(part.expression.text)' is \(found), "
              + "but field '\(fields[index].name)' is of type \(fields[index].type.name)",
            at: whole,
            help: fields[index].type.typeName == .string && found.hasText
              ? "write string(\(part.expression.text))" : "convert the value, or leave 'type' out"))
      }
    }
    if inferred.contains(fields[index].name) { fields[index].type = TypeDeclaration(holding: type) }
  }
}

extension MissingDeclaration {
  fileprivate var isRequired: Bool { if case .required = self { true } else { false } }
}

extension DiagnosticBag {
  /// Reports the errors in an expression of a computed field.
  mutating func report(
    errorsOf part: ComputedValue.Part, in value: ComputedValue, _ scope: ExpressionScopeType,
    at owner: SourceRange? = nil
  ) {
    for fault in part.expression.check(scope).errors {
      let fault = TemplateScanner.TemplateError(fault, from: 0)
      let location = value.location(of: fault.offsets, in: part)
      report(
        Diagnostic(
          .error, fault.code.code, fault.message, at: owner ?? location,
          notes: owner == nil ? [] : [Diagnostic.Note("the field is computed here", at: location)], help: fault.help,
          fixIts: owner == nil
            ? fault.replacement.map { [Diagnostic.FixIt("replace it with '\($0)'", replacing: location, with: $0)] }
              ?? []
            : []))
    }
  }
}

extension FlowReader {
  /// Reads the template that computes a field. Its names are checked when the record's fields are known.
  mutating func computedValue(_ value: FieldValue) -> ComputedValue? {
    guard let text = scalar(value), check(foreignTemplatesIn: text, isLine: false, in: value) else { return nil }
    if let diagnostic = ForeignTemplate.diagnostic(ofLookup: text, printable(text), at: value.node.range) {
      diagnostics.report(diagnostic)
      return nil
    }
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
      help: "a secret would be visible here, because the text becomes part of the records")
  }

  /// Checks the names that the computed fields of a schema use from the flow: its variables and its parents'
  /// records.
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
