internal import Expressions
public import SourceDiagnostics

/// Text with `{{ … }}` in it, parsed; names are checked against what the file declares.
public struct Template: Sendable {
  /// The pieces in order; no two texts are neighbours, and no text is empty.
  public let segments: [Segment]
  /// Where each piece was written, in the order of the pieces; empty for text without templates and for templates
  /// built in code.
  public let ranges: [SourceRange]

  /// Builds a template; ranges, if given, are as many as segments.
  public init(_ segments: [Segment], ranges: [SourceRange] = []) {
    self.segments = segments
    self.ranges = ranges.count == segments.count ? ranges : []
  }

  /// Builds a template that is only text.
  public init(text: String) { self.init(text.isEmpty ? [] : [.text(text)]) }

  /// The text when nothing has to be filled in, else nil.
  public var constantText: String? {
    switch (segments.count, segments.first) {
    case (0, _): ""
    case (1, .text(let text)?): text
    default: nil
    }
  }

  /// Whether a secret goes into the text.
  public var usesSecret: Bool {
    segments.contains {
      switch $0 {
      case .secret: true
      case .expression(let expression): expression.references.contains { $0.root == "secrets" }
      case .text, .variable, .environment: false
      }
    }
  }

  /// Whether it uses what is known only while the flow runs, such as a parent's record.
  public var isDynamic: Bool { segments.contains { $0.isDynamic } }

  /// Whether an expression in it takes a name from its scope.
  public func uses(_ root: String) -> Bool {
    segments.contains {
      if case .expression(let expression) = $0 { expression.references.contains { $0.root == root } } else { false }
    }
  }

  /// The template as it would be written, names in place of values: for `reactor explain` and reports.
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
  /// Equal when the pieces are, wherever they were written.
  public static func == (left: Template, right: Template) -> Bool { left.segments == right.segments }

  /// Hashes the pieces.
  public func hash(into hasher: inout Hasher) { hasher.combine(segments) }
}

extension Template.Segment {
  /// Names whose values are fixed before the first request.
  static let fixedRoots: Set<String> = ["vars", "secrets", "env"]

  /// Whether it uses what is known only while the flow runs.
  var isDynamic: Bool {
    guard case .expression(let expression) = self else { return false }
    return expression.references.contains { !Self.fixedRoots.contains($0.root) }
  }
}
