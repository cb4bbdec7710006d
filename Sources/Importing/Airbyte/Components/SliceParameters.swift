/// The pages whose requests have the parameters for partitions and for the bounds of ranges.
enum SliceParameters {
  case ofAllPages
  /// Only the request for the first page has these parameters. The condition is true for that request.
  case ofFirstPage(FlowExpression)
  case ofNoPage

  /// Reads `ignore_stream_slicer_parameters_on_paginated_requests`.
  init(_ retriever: Component) {
    self = .ofAllPages
    guard retriever["ignore_stream_slicer_parameters_on_paginated_requests"]?.bool ?? false,
      let paginator = retriever.child("paginator", default: "NoPagination"), paginator.type == "DefaultPaginator",
      // A link replaces the parameters of its page.
      paginator.child("page_token_option")?.type != "RequestPath",
      let strategy = paginator.child("pagination_strategy")
    else { return }
    let isCounted = strategy.type == "PageIncrement" || strategy.type == "OffsetIncrement"
    if isCounted, strategy["inject_on_first_request"]?.bool ?? false {
      // The first page has a token too.
      self = .ofNoPage
      return
    }
    switch strategy.type {
    case "PageIncrement":
      self = .ofFirstPage(
        FlowExpression("page.number == \(strategy["start_from_page"]?.integer ?? 0)", .bool, .relation))
    case "OffsetIncrement": self = .ofFirstPage(FlowExpression("page.offset == 0", .bool, .relation))
    case "CursorPagination": self = .ofFirstPage(FlowExpression("!has(page.token)", .bool, .unary))
    default: break
    }
  }
}

extension StreamTranslator {
  /// Puts a value of a partition, or a bound of a range, into the request.
  func injectSlice(_ value: FlowExpression, into target: RequestTarget, at component: Component) {
    switch sliceParameters {
    case .ofAllPages: inject(value, into: target, at: component)
    case .ofNoPage: break
    case .ofFirstPage(let condition):
      inject(
        FlowExpression("\(condition.text) ? \(value.operand(.or)) : null", value.kind, .choice, mayBeMissing: true),
        into: target, at: component)
    }
  }
}
