extension JSONPath {
  /// The segments after `$` or `@`.
  struct Query: Sendable {
    let segments: [Segment]
    /// Set when every segment is a child segment with one name or index.
    let singularSteps: [Step]?

    init(segments: [Segment]) {
      self.segments = segments
      let steps = segments.map(\.singularStep)
      singularSteps = steps.contains(nil) ? nil : steps.compactMap { $0 }
    }

    /// A query of child segments with one name or index each.
    init(singular steps: [Step]) {
      segments = steps.map { step in
        switch step {
        case .name(let name): Segment(reachesDescendants: false, selectors: [.name(name)])
        case .index(let index): Segment(reachesDescendants: false, selectors: [.index(index)])
        }
      }
      singularSteps = steps
    }
  }

  /// A child segment, or a descendant segment (`..`).
  struct Segment: Sendable {
    let reachesDescendants: Bool
    let selectors: [Selector]

    var singularStep: Step? {
      guard !reachesDescendants, selectors.count == 1 else { return nil }
      switch selectors[0] {
      case .name(let name): return .name(name)
      case .index(let index): return .index(index)
      default: return nil
      }
    }
  }

  /// What picks children of a node (RFC 9535, section 2.3).
  enum Selector: Sendable {
    case name(String)
    case index(Int)
    case wildcard
    case slice(Slice)
    case filter(Condition)
  }

  /// `start:end:step`, nil where not written.
  struct Slice: Sendable {
    var start: Int?
    var end: Int?
    var step: Int?

    /// The indices selected from an array of `count` elements, in order (RFC 9535, section 2.3.4.2.2).
    func indices(count: Int) -> StrideTo<Int> {
      let step = step ?? 1
      func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
      if step > 0 {
        let lower = min(max(normalized(start ?? 0), 0), count)
        let upper = min(max(normalized(end ?? count), 0), count)
        return stride(from: lower, to: upper, by: step)
      }
      // Without an end the first element is included, which no normalized index can say.
      let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
      let lower = end.map { min(max(normalized($0), -1), count - 1) } ?? -1
      return step < 0 ? stride(from: upper, to: lower, by: step) : stride(from: 0, to: 0, by: 1)
    }
  }
}
