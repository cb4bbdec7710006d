public import Expressions
internal import JSONSyntax

/// A path with values that are known only while a flow runs: `out/{{ record.country }}.csv`.
///
/// Each value becomes a part of one name: it cannot change the folders of the path.
public struct PathTemplate: Sendable {
  /// A piece of the path.
  public enum Segment: Sendable, Hashable {
    /// Text that is the same for all values.
    case text(String)
    /// An expression.
    case value(Expression)
  }

  /// The reason why a value cannot be a part of a path.
  package struct ValueError: Error {
    package let expression: Expression
    /// The predicate of the message, such as `is empty`.
    package let words: String
    /// The remedy; nil for the default remedy.
    package let help: String?

    fileprivate init(_ expression: Expression, _ problem: PathValue.Problem) {
      self.expression = expression
      words = problem.words
      help = problem.help?(expression.text)
    }
  }

  /// The pieces, in order.
  public let segments: [Segment]

  /// Creates a template.
  public init(_ segments: [Segment]) { self.segments = segments }

  /// The path as it is written in the flow, with the values of variables filled in; all other expressions are
  /// unchanged.
  public var text: String {
    segments.map {
      switch $0 {
      case .text(let text): text
      case .value(let expression): "{{ \(expression.text) }}"
      }
    }.joined()
  }

  /// An example of a path: each expression is replaced by the letter `x`.
  public var sample: String {
    segments.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
  }

  /// The path with the values of a scope.
  ///
  /// - Throws: when a value cannot be a part of a name
  package func path(in scope: EvaluationScope) throws(ValueError) -> String {
    var path = ""
    for segment in segments {
      switch segment {
      case .text(let text): path += text
      case .value(let expression):
        do throws(PathValue.Problem) {
          path += try Self.text(of: expression, in: scope)
        } catch {
          throw ValueError(expression, error)
        }
      }
    }
    return path
  }

  private static func text(of expression: Expression, in scope: EvaluationScope) throws(PathValue.Problem) -> String {
    var text: String?
    do throws(EvaluationError) {
      let value = try expression.evaluate(in: scope, now: scope.now)
      switch value {
      case .null, .json(.null): break
      default: text = try value.text()
      }
    } catch {
      guard error.kind == .missing else { throw PathValue.Problem("has no value: \(error.message)") }
    }
    guard let text else { throw .missing }
    if let problem = PathValue.problem(text) { throw problem }
    return text
  }

  /// Whether the template can produce this path. A value has at least one byte and no slash.
  package func mayGive(_ path: String) -> Bool {
    let path = Array(path.utf8)
    // The offsets in the path up to which the segments so far can reach.
    var reached: Set<Int> = [0]
    for segment in segments {
      var next: Set<Int> = []
      for start in reached {
        switch segment {
        case .text(let text):
          if path[start...].starts(with: text.utf8) { next.insert(start + text.utf8.count) }
        case .value:
          var end = start
          while end < path.count, path[end] != UInt8(ascii: "/") {
            end += 1
            next.insert(end)
          }
        }
      }
      reached = next
    }
    return reached.contains(path.count)
  }
}
