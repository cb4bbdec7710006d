public import Expressions
public import JSONSyntax
public import SourceDiagnostics

/// A parsed text that may contain templates (`{{ … }}`). Its names are already checked.
public struct Template: Sendable {
  /// The pieces in order. No two adjacent pieces are texts, and no text is empty.
  public let segments: [Segment]
  /// The source location of each piece, in order.
  ///
  /// It is empty for text without templates and for templates that code creates.
  public let ranges: [SourceRange]

  /// Builds a template. If ranges are given, their number must be equal to the number of segments.
  public init(_ segments: [Segment], ranges: [SourceRange] = []) {
    self.segments = segments
    self.ranges = ranges.count == segments.count ? ranges : []
  }

  /// Builds a template that consists only of text.
  public init(text: String) { self.init(text.isEmpty ? [] : [.text(text)]) }

  /// The text if it contains no templates, else nil.
  public var constantText: String? {
    switch (segments.count, segments.first) {
    case (0, _): ""
    case (1, .text(let text)?): text
    default: nil
    }
  }

  /// Whether the template uses a secret.
  public var usesSecret: Bool {
    segments.contains {
      switch $0 {
      case .secret: true
      case .expression(let expression): expression.references.contains { $0.root == "secrets" }
      case .text, .variable, .environment: false
      }
    }
  }

  /// Whether the template uses a value that is known only while the flow runs, such as a parent's record.
  public var isDynamic: Bool { segments.contains { $0.isDynamic } }

  /// Whether the template is `{{ optional(…) }}`, which is left out of the request when the value is null.
  public var isOptional: Bool {
    if segments.count == 1, case .expression(let expression) = segments[0] { expression.isOptional } else { false }
  }

  /// Whether the template uses fields of the record. A result with such a path is split into several files.
  public var isSplit: Bool { uses("record") }

  /// Whether an expression in the template uses a name.
  public func uses(_ root: String) -> Bool {
    segments.contains {
      if case .expression(let expression) = $0 { expression.references.contains { $0.root == root } } else { false }
    }
  }

  /// The template as written, with names instead of values, for `reactor explain` and reports.
  public var sourceText: String {
    segments.map {
      switch $0 {
      case .text(let text): text.replacing("{{", with: "{{ \"{{\" }}")
      case .variable(let name): "{{ vars.\(name) }}"
      case .secret(let name): "{{ secrets.\(name) }}"
      case .environment(let name): "{{ env.\(name) }}"
      case .expression(let expression): "{{ \(expression.text) }}"
      }
    }.joined()
  }
}

extension Template: Hashable {
  /// Compares the pieces. Their source locations are ignored.
  public static func == (left: Template, right: Template) -> Bool { left.segments == right.segments }

  /// Hashes the pieces.
  public func hash(into hasher: inout Hasher) { hasher.combine(segments) }
}

extension Template.Segment {
  /// The root names whose values are known before the first request.
  package static let fixedRoots: Set<String> = ["vars", "secrets", "env", "schema"]

  /// Whether the piece uses a value that is known only while the flow runs.
  package var isDynamic: Bool {
    guard case .expression(let expression) = self else { return false }
    return expression.references.contains { !Self.fixedRoots.contains($0.root) }
  }
}

extension Template {
  /// A piece of a template.
  public enum Segment: Sendable, Hashable {
    /// Text outside of templates.
    case text(String)
    /// A variable: `vars.NAME`.
    case variable(String)
    /// A secret: `secrets.NAME`.
    case secret(String)
    /// An environment variable: `env.NAME`.
    case environment(String)
    /// Any other expression between the braces.
    case expression(Expression)
  }
}

/// The error for a template that cannot be converted to a JSONPath.
public struct PathTemplateError: Error, Sendable, Hashable {
  /// The description of the error.
  public var message: String
  /// The instruction to fix the error, if any.
  public var help: String?
}

extension Template {
  /// Converts the template to a JSONPath. Each template in it must be inside quotes, and its value is escaped.
  public func path(_ value: (Segment) -> String) throws(PathTemplateError) -> JSONPath {
    var text = ""
    var quote: Character?
    for segment in segments {
      if case .text(let plain) = segment {
        var isEscaped = false
        for character in plain {
          if isEscaped {
            isEscaped = false
          } else if let open = quote {
            if character == "\\" { isEscaped = true } else if character == open { quote = nil }
          } else if character == "'" || character == "\"" {
            quote = character
          }
        }
        text += plain
        continue
      }
      guard let quote else {
        throw PathTemplateError(
          message: "a template in a path must be inside quotes", help: "write $.data['{{ vars.region }}']")
      }
      text += Self.escaped(value(segment), in: quote)
    }
    do throws(JSONPathError) {
      return try JSONPath(parsing: text)
    } catch {
      throw PathTemplateError(
        message: "'\(sourceText)' is not a JSONPath: \(error.message)",
        help: "paths follow RFC 9535, for example $.data[*]")
    }
  }

  /// Escapes a value for a quoted name in a JSONPath (RFC 9535, section 2.3.1.1).
  private static func escaped(_ value: String, in quote: Character) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      if scalar == "\\" || Character(scalar) == quote {
        text += "\\"
        text.unicodeScalars.append(scalar)
      } else if scalar.value < 0x20 {
        text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
