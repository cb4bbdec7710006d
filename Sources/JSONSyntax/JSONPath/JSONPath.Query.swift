extension JSONPath {
  /// The segments after `$` or `@`.
  struct Query: Sendable {
    let segments: [Segment]
    /// The steps if each segment is a child segment with one name or index; otherwise nil.
    let singularSteps: [Step]?

    init(segments: [Segment]) {
      self.segments = segments
      let steps = segments.map(\.singularStep)
      singularSteps = steps.contains(nil) ? nil : steps.compactMap { $0 }
    }

    /// Creates a query of child segments, each with one name or index.
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

    /// Whether the segment selects only children, and only by wildcards, slices and filters. It may then select any
    /// number of elements, including none.
    var takesElements: Bool {
      !reachesDescendants
        && selectors.allSatisfy {
          switch $0 {
          case .wildcard, .slice, .filter: true
          case .name, .index: false
          }
        }
    }

    var singularStep: Step? {
      guard !reachesDescendants, selectors.count == 1 else { return nil }
      switch selectors[0] {
      case .name(let name): return .name(name)
      case .index(let index): return .index(index)
      default: return nil
      }
    }
  }

  /// A selector of a node's children (RFC 9535, section 2.3).
  enum Selector: Sendable {
    case name(String)
    case index(Int)
    case wildcard
    case slice(Slice)
    case filter(Condition)
  }

  /// An array slice `start:end:step`; a missing part is nil.
  struct Slice: Sendable {
    var start: Int?
    var end: Int?
    var step: Int?

    /// The selected indices of an array with `count` elements, in order (RFC 9535, section 2.3.4.2.2).
    func indices(count: Int) -> StrideTo<Int> {
      let step = step ?? 1
      func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
      if step > 0 {
        let lower = min(max(normalized(start ?? 0), 0), count)
        let upper = min(max(normalized(end ?? count), 0), count)
        return stride(from: lower, to: upper, by: step)
      }
      // Without an end, the slice includes the first element. No normalized end index can express this.
      let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
      let lower = end.map { min(max(normalized($0), -1), count - 1) } ?? -1
      return step < 0 ? stride(from: upper, to: lower, by: step) : stride(from: 0, to: 0, by: 1)
    }
  }
}
