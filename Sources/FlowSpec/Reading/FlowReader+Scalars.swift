internal import FlowTerms
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// A single value's text as written; templates are refused.
  mutating func text(_ value: FieldValue) -> String? {
    guard let text = scalar(value) else { return nil }
    guard TemplateScanner.hasTemplate(text) else { return text }
    let scanner = TemplateScanner(text)
    var isRefused = false
    for piece in scanner.pieces {
      if case .text = piece.segment { continue }
      isRefused = true
      let range = place(piece.offsets, in: value.node)
      if case .secret(let name) = piece.segment {
        report(.templateSecretNotAllowed, "secret '\(name)' is not allowed in '\(value.spec.name)'", at: range)
      } else {
        report(
          .templateNotAllowed, "'\(value.spec.name)' takes no templates", at: range,
          help: "write the value itself")
      }
    }
    guard !isRefused else { return nil }
    // Braces that are no template are text here.
    return text
  }

  /// The text of a scalar node that is not null.
  mutating func scalar(_ value: FieldValue) -> String? {
    guard case .scalar(let scalar) = value.node.content else {
      report(
        .wrongKind, "'\(value.spec.name)' is a single value, not \(value.node.kindWords)", at: value.node.range,
        help: value.spec.examples.first.map { "write it as in '\($0)'" })
      return nil
    }
    guard !scalar.isNull else {
      // For a key itself, opening the mapping has reported it.
      if let part = value.part {
        report(
          .missingValue, "a value is missing in '\(value.spec.name)'", at: part,
          help: "write '' for an empty text, or quote the word")
      }
      return nil
    }
    return scalar.text
  }

  /// Free text of one or more lines.
  mutating func freeText(_ value: FieldValue) -> String? {
    guard let text = text(value) else { return nil }
    guard !text.utf8.contains(where: { ASCII.isControl($0) && $0 != 0x0A && $0 != 0x09 }) else {
      report(.controlCharacter, "'\(value.spec.name)' holds a control character", at: value.node.range)
      return nil
    }
    return text
  }

  /// A single value that a function reads, or a report that it is not what was expected.
  mutating func value<Value>(
    _ value: FieldValue, _ read: (String) throws(ValueError) -> Value, _ code: FlowCode, _ expected: String
  ) -> Value? {
    guard let text = text(value) else { return nil }
    do throws(ValueError) {
      return try read(text)
    } catch {
      report(code, "'\(printable(text))' is not \(expected)", error, at: value)
      return nil
    }
  }

  mutating func boolean(_ value: FieldValue) -> Bool? {
    self.value(value, BooleanText.value, .invalidBoolean, "a boolean")
  }

  mutating func integer(_ value: FieldValue, in bounds: ClosedRange<Int>) -> Located<Int>? {
    guard let number = self.value(value, IntegerText.value, .invalidInteger, "an integer") else { return nil }
    guard bounds.contains(number) else {
      report(
        .outOfRange, "\(number) is out of range for '\(value.spec.name)'", at: value.node.range,
        help: bounds.upperBound == Int.max
          ? "it is at least \(bounds.lowerBound)" : "it is from \(bounds.lowerBound) to \(bounds.upperBound)")
      return nil
    }
    return Located(number, at: value.node.range)
  }

  /// A duration in seconds.
  mutating func duration(_ value: FieldValue, in bounds: ClosedRange<Double>? = nil) -> Located<Double>? {
    guard let text = text(value) else { return nil }
    do throws(ValueError) {
      let seconds = try seconds(reading: text)
      if let bounds, !bounds.contains(seconds) {
        report(
          .outOfRange, "\(text) is out of range for '\(value.spec.name)'", at: value.node.range,
          help: "it is from 1ms to \(Int(bounds.upperBound / 86400))d")
        return nil
      }
      return Located(seconds, at: value.node.range)
    } catch {
      report(.invalidDuration, "'\(printable(text))' is not a duration", error, at: value)
      return nil
    }
  }

  /// A number of something, or a share of it.
  mutating func countOrShare(_ value: FieldValue) -> CountOrShare? {
    guard let text = text(value) else { return nil }
    do throws(ValueError) {
      return try CountOrShare(parsing: text)
    } catch {
      report(.invalidInteger, "'\(printable(text))' is neither a number nor a share", error, at: value)
      return nil
    }
  }

  /// One of some words.
  mutating func choice(_ value: FieldValue, _ words: [String]) -> String? {
    guard let text = text(value) else { return nil }
    if words.contains(text) { return text }
    report(
      .unknownValue, "'\(printable(text))' is not a value of '\(value.spec.name)'", at: value.node.range,
      meant: nearest(to: text, in: words), help: "it is one of \(listed(words, joining: "or", atMost: 20))"
    )
    return nil
  }

  /// A JSONPath; mistakes are shown at their own column.
  mutating func jsonPath(_ value: FieldValue) -> Located<JSONPath>? {
    guard let text = text(value) else { return nil }
    do throws(JSONPathError) {
      return Located(try path(parsing: text), at: value.node.range)
    } catch {
      let start = min(max(error.offset, 0), text.utf8.count)
      let meant = text.hasPrefix("$") ? nil : text.hasPrefix("[") ? "$" + text : "$." + text
      let isPath = meant.map { (try? JSONPath(parsing: $0)) != nil } ?? false
      report(
        .invalidPath, "'\(printable(text))' is not a JSONPath" + (isPath ? "" : ": \(error.message)"),
        at: isPath ? value.node.range : place(start..<min(start + 1, text.utf8.count), in: value.node),
        meant: isPath ? meant : nil, help: "paths follow RFC 9535, for example $.data[*]")
      return nil
    }
  }

  /// A path of names alone.
  mutating func memberPath(_ value: FieldValue, example: String) -> [JSONPath.Step]? {
    guard let path = jsonPath(value) else { return nil }
    if let steps = path.value.memberSteps { return steps }
    report(
      .invalidPath, "'\(path.value.text)' does not name one member of the body", at: path.range,
      help: "write names only, for example \(example)")
    return nil
  }

  mutating func report(_ code: FlowCode, _ message: String, _ error: ValueError, at value: FieldValue) {
    let detail = error.detail.map { ": \($0)" } ?? ""
    report(
      code, message + detail, at: value.node.range, meant: error.suggestion, help: "write \(error.expected)")
  }
}

extension JSONPath {
  /// The names that lead to one member; nil for other paths, and for the root.
  var memberSteps: [Step]? {
    guard let steps = singularSteps, !steps.isEmpty,
      steps.allSatisfy({ if case .name = $0 { true } else { false } })
    else { return nil }
    return steps
  }
}
