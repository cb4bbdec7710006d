internal import FlowRuntime
internal import FlowSpec

extension PagePlan {
  /// Creates the plan.
  ///
  /// - Parameter size: the page size that the declaration's setting gives
  init(_ declared: PagesDeclaration, size: Int?) {
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
    self.size = declared.size.flatMap { declared in size.map { (location: declared.location, count: $0) } }
    leastSize = declared.leastSize
    count = declared.count?.value
    more = declared.more?.value
    stop = declared.stop?.value
    keepsPart = declared.keepsPart
    mayLackNext = declared.mayLackNext
    endsAtShort = declared.endsAtShort
  }
}

extension RequestResolver {
  /// Returns the plan of the flow's pages; nil without pages, or after an error was reported.
  mutating func pages(_ declaration: FlowDeclaration) -> PagePlan? {
    guard let declared = declaration.pull.pages else { return nil }
    let size = declared.size.flatMap { value(of: $0.count, PagesDeclaration.size) }
    return PagePlan(declared, size: size)
  }
}
