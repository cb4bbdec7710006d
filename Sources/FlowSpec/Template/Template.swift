public import Expressions
public import JSONSyntax
public import SourceDiagnostics

/// Text with `{{ … }}` in it, parsed; its names are checked.
public struct Template: Sendable {
  /// The pieces in order; no two texts are neighbours, and no text is empty.
  public let segments: [Segment]
  /// The location of each piece, in order; empty for text without templates and for templates built in code.
  public let ranges: [SourceRange]

  /// Builds a template; ranges, if given, are as many as segments.
  public init(_ segments: [Segment], ranges: [SourceRange] = []) {
    self.segments = segments
    self.ranges = ranges.count == segments.count ? ranges : []
  }

  /// Builds a template that is only text.
  public init(text: String) { self.init(text.isEmpty ? [] : [.text(text)]) }

  /// The text if it has no templates, else nil.
  public var constantText: String? {
    switch (segments.count, segments.first) {
    case (0, _): ""
    case (1, .text(let text)?): text
    default: nil
    }
  }

  /// Whether the text contains a secret.
  public var usesSecret: Bool {
    segments.contains {
      switch $0 {
      case .secret: true
      case .expression(let expression): expression.references.contains { $0.root == "secrets" }
      case .text, .variable, .environment: false
      }
    }
  }

  /// Whether it uses a value that is known only while the flow runs, such as a parent's record.
  public var isDynamic: Bool { segments.contains { $0.isDynamic } }

  /// Whether an expression in it uses a name.
  public func uses(_ root: String) -> Bool {
    segments.contains {
      if case .expression(let expression) = $0 { expression.references.contains { $0.root == root } } else { false }
    }
  }

  /// The template as written, with names instead of values: for `reactor explain` and reports.
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
  /// Equal if the pieces are equal, wherever they were written.
  public static func == (left: Template, right: Template) -> Bool { left.segments == right.segments }

  /// Hashes the pieces.
  public func hash(into hasher: inout Hasher) { hasher.combine(segments) }
}

extension Template.Segment {
  /// Names whose values are known before the first request.
  static let fixedRoots: Set<String> = ["vars", "secrets", "env"]

  /// Whether it uses a value that is known only while the flow runs.
  var isDynamic: Bool {
    guard case .expression(let expression) = self else { return false }
    return expression.references.contains { !Self.fixedRoots.contains($0.root) }
  }
}

extension Template {
  /// A piece of a template.
  public enum Segment: Sendable, Hashable {
    /// Text as it is.
    case text(String)
    /// `vars.NAME`
    case variable(String)
    /// `secrets.NAME`
    case secret(String)
    /// `env.NAME`
    case environment(String)
    /// Anything else between the braces.
    case expression(Expression)
  }
}

/// Why a template gives no path.
public struct PathTemplateError: Error, Sendable, Hashable {
  /// What is wrong.
  public var message: String
  /// What to do about it.
  public var help: String?
}

extension Template {
  /// The path with values filled in as quoted names, escaped.
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
          message: "a template in a path stands in quotes", help: "write $.data['{{ vars.region }}']")
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

  /// RFC 9535, section 2.3.1.1.
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
