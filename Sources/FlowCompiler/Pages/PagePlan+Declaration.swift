internal import FlowRuntime
internal import FlowSpec

extension PagePlan {
  init(_ declared: PagesDeclaration) {
    let strategy: Strategy =
      switch declared.strategy {
      case .number(let first): .number(first: first)
      case .offset(let first): .offset(first: first)
      case .cursor(let source): .cursor(source.value)
      case .nextURL(let source): .nextURL(source.value)
      case .link(let relation): .link(relation: relation.value)
      }
    self.init(strategy, max: declared.max, parallel: declared.parallel)
    location = declared.location
    size = declared.size
    count = declared.count?.value
    more = declared.more?.value
    stop = declared.stop?.value
    keepsPart = declared.keepsPart
    mayLackNext = declared.mayLackNext
  }
}
