internal import Expressions
internal import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Checks that the pages of a flow can be made smaller where one of its rules asks for it.
  ///
  /// - Parameter rules: the rules that the flow itself declares
  mutating func checkShrinking(_ pages: Pages?, _ rules: [ErrorRule], at flow: FieldNodes) {
    guard let rule = rules.first(where: { $0.action == .shrink }),
      pages != nil || flow.isLeftOut(FlowKeys.pages) || isOnePageMeant(flow),
      let problem = pages.map(Self.unshrinkable) ?? ("the flow has no pages", "add 'pages', or write another action")
    else { return }
    report(.incompletePages, "'do: shrink' has no effect: \(problem.0)", at: rule.when.range, help: problem.1)
  }

  /// Why a page cannot be requested with a smaller size; nil if it can.
  private static func unshrinkable(_ pages: Pages) -> (String, String)? {
    switch pages.strategy {
    case .number:
      return (
        "with a smaller page, the numbers of all further pages mean other records",
        "use 'by: offset', if the server can"
      )
    case .nextURL, .link: return ("the server writes the size into the URL of the next page", "write another action")
    case .offset, .cursor: break
    }
    if pages.size == nil { return ("the request has no page size", "add 'size' and 'size_query' to 'pages'") }
    guard let stop = pages.stop,
      stop.value.references.contains(where: { $0.root == "page" && $0.firstMember == "records" })
    else { return nil }
    return ("'stop' would take a smaller page for the last one", "write 'short: end' in place of this 'stop'")
  }
}
