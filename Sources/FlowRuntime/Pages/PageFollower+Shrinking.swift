internal import FlowModel
internal import JSONSyntax
internal import ReactorCore

extension PageFollower {
  /// The step of the same page with half the page size. All further pages have this size too.
  ///
  /// - Throws: `.server` when the page already has the smallest allowed size
  mutating func smaller(_ step: PageStep) throws(ReactorError) -> PageStep {
    guard let size = pages.size, let count = size.count.constant, isShrinkable else { throw Self.unshrinkable }
    guard count > pages.leastSize else {
      var error = ReactorError.server(
        "page \(step.number) is still too large with \(count == 1 ? "1 record" : "\(count) records")")
      error.key = "pages.size"
      error.help = "allow smaller pages with 'min' in 'pages.size', or request fewer fields or a shorter range"
      throw error
    }
    let smaller = max(pages.leastSize, count / 2)
    setSize(smaller)
    var step = step
    for index in step.changes.indices where step.changes[index].location == size.location {
      step.changes[index].value = .integer(Int64(smaller))
    }
    return step
  }

  private var isShrinkable: Bool {
    switch pages.strategy {
    case .offset, .cursor: true
    case .number, .nextURL, .link: false
    }
  }

  /// The error when a rule of `defaults` has `do: shrink`, but the flow cannot request smaller pages.
  static var unshrinkable: ReactorError {
    var error = ReactorError.server("a rule with 'do: shrink' applies, and the flow cannot request smaller pages")
    error.key = "errors"
    error.help = "declare 'pages' with 'by: cursor' or 'by: offset' and a 'size', or give the flow its own 'errors'"
    return error
  }
}
