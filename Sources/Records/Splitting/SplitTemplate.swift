public import Expressions
internal import JSONSyntax
internal import ReactorCore

/// A path that depends on the record: `out/{{ record.country }}.csv`.
///
/// Each value becomes a part of one name: it cannot change the folders of the path.
public struct SplitTemplate: Sendable {
  /// A piece of the path.
  public enum Segment: Sendable, Hashable {
    /// Text that is the same for all records.
    case text(String)
    /// An expression over the record.
    case value(Expression)
  }

  /// The pieces, in order.
  public let segments: [Segment]
  private let recordType: ExpressionType
  private let scope: EvaluationScope
  private let key: [String]

  /// Creates a template.
  ///
  /// - Parameters:
  ///   - recordType: the type of `record` in the expressions
  ///   - key: the fields that identify a record in messages
  ///   - scope: the values of all other names
  public init(_ segments: [Segment], recordType: ExpressionType, key: [String], scope: EvaluationScope) {
    self.segments = segments
    self.recordType = recordType
    self.key = key
    self.scope = scope
  }

  /// The path as it is written, with the values of variables.
  public var text: String {
    segments.map {
      switch $0 {
      case .text(let text): text
      case .value(let expression): "{{ \(expression.text) }}"
      }
    }.joined()
  }

  /// A path with a letter for each value: its format is that of all paths.
  public var sample: String {
    segments.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
  }

  /// The path of a record.
  ///
  /// - Throws: a parser error that names the record and the expression, when a value cannot be a part of a name
  func path(of batch: RecordBatch, _ row: Int) throws(ReactorError) -> String {
    let record = batch.record(row)
    var scope = scope
    scope.values["record"] = ExpressionValue(record, as: recordType)
    var path = ""
    for segment in segments {
      switch segment {
      case .text(let text): path += text
      case .value(let expression):
        do throws(PathValue.Problem) {
          path += try text(of: expression, in: scope)
        } catch {
          throw self.error(expression, error, record)
        }
      }
    }
    return path
  }

  private func text(of expression: Expression, in scope: EvaluationScope) throws(PathValue.Problem) -> String {
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

  private func error(_ expression: Expression, _ problem: PathValue.Problem, _ record: JSONValue) -> ReactorError {
    let key = key.compactMap { name in record[name].map { "\(name) \($0.plainText)" } }.joined(separator: ", ")
    let name = key.isEmpty ? "a record" : "the record with \(key)"
    var error = ReactorError(.parser, "\(name) has no path: '\(expression.text)' \(problem.words)")
    if let reference = expression.references.first(where: { $0.root == "record" }), let member = reference.firstMember {
      error.pointer = JSONPointer(tokens: [member]).description
    }
    error.help =
      problem.help?(expression.text)
      ?? "leave such records out with 'where', or give a value: coalesce(\(expression.text), 'none')"
    return error
  }
}
