internal import Expressions
internal import FlowModel
internal import JSONSyntax

extension Pages {
  /// Whether the token or URL of the next page is found in, or computed from, the last record of a page.
  var readsLastRecord: Bool {
    switch strategy {
    case .cursor(let source), .nextURL(let source):
      switch source.value {
      case .lastRecord: true
      case .expression(let next): next.references.contains { $0.root == "last" }
      case .response, .header: false
      }
    case .number, .offset, .link: false
    }
  }

  /// The change that sets the page size in a request; nil to use the server's default size.
  var sizeChange: PageStep.Change? {
    guard let size, let count = size.count.constant else { return nil }
    return PageStep.Change(location: size.location, value: .integer(Int64(count)))
  }

  /// The step of the first page.
  var firstStep: PageStep { step(1, records: 0) }

  /// The step of a page by its number, when the number is known beforehand.
  ///
  /// - Parameter records: how many records precede the page
  func step(_ number: Int, records: Int) -> PageStep {
    var step = PageStep(number: number)
    if let sizeChange { step.changes.append(sizeChange) }
    let value: Int
    switch strategy {
    case .number(let first):
      value = first + number - 1
      step.reported = value
    case .offset(let first):
      value = first + records
      step.offset = value
    case .cursor, .nextURL, .link: return step
    }
    if let location { step.changes.append(.init(location: location, value: .integer(Int64(value)))) }
    return step
  }
}
