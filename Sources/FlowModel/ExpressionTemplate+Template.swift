package import Expressions

extension ExpressionTemplate {
  /// Converts a template of a flow file. Its variables become expressions; its secrets are left out.
  package init(_ template: Template) {
    self.init(
      template.segments.compactMap { (segment) -> Segment? in
        switch segment {
        case .text(let text): .text(text)
        case .expression(let expression): .expression(expression)
        case .variable(let name): Self.member(name, of: "vars")
        case .environment(let name): Self.member(name, of: "env")
        // The language does not allow secrets in records.
        case .secret: nil
        }
      })
  }

  /// An expression for a member; with brackets when the name is a reserved word of the expression language.
  private static func member(_ name: String, of root: String) -> Segment? {
    ((try? Expression(parsing: "\(root).\(name)")) ?? (try? Expression(parsing: "\(root)['\(name)']")))
      .map { .expression($0) }
  }
}

extension Template {
  /// Creates a template from one that contains only texts and expressions.
  package init(_ template: ExpressionTemplate) {
    self.init(
      template.segments.map { (segment) -> Segment in
        switch segment {
        case .text(let text): .text(text)
        case .expression(let expression): .expression(expression)
        }
      })
  }
}
