internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// The records that are sent to the server.
extension ParentRequests {
  /// The records in a partition's request, and the items that cannot be sent.
  func outgoing(
    _ partition: Partition, _ values: [String: ExpressionValue]
  ) async throws(ReactorError) -> (item: RequestItem, misfits: [ItemFailure]) {
    var item = RequestItem(text: partition.text, isBatch: partition.batch != nil)
    guard let records = flow.plan.request.program?.sentRecords else { return (item, []) }
    let given = partition.batch ?? partition.values.prefix(1).map(\.value)
    guard let encoder = records.encoder else {
      item.payloads = given
      return (item, [])
    }
    let fixed = flow.plan.scope.fixed.filter { records.roots.contains($0.key) }
    let encoded = try await encoder.encode(given, scope: fixed.merging(values) { fixed, _ in fixed })
    item.payloads = encoded.payloads.map(\.value)
    return (
      item,
      encoded.misfits.map { ItemFailure(item: $0.index, rule: $0.rule, pointer: $0.pointer, reason: $0.reason) }
    )
  }

  /// The items of a batch that the server refused, according to its response.
  ///
  /// - Parameters:
  ///   - responseBytes: the bytes of the response
  ///   - sent: the indices of the sent items in the batch
  func refusals(_ responseBytes: [UInt8]?, of sent: [Int]) throws(ReactorError) -> [ItemFailure] {
    guard let results = each.batch?.results else { return [] }
    let found = try self.results(results, in: responseBytes)
    guard found.count == sent.count else {
      throw .parser(
        "the response has \(found.count == 1 ? "1 result" : "\(found.count) results") at \(results.path.value.text) "
          + "for \(Expectations.records(sent.count))")
    }
    var failures: [ItemFailure] = []
    for (index, result) in zip(sent, found) {
      let scope = flow.plan.scope.with(["result": ExpressionValue(result)])
      guard try value(of: results.failed.value, in: scope) == .bool(true) else { continue }
      var reason = String(decoding: JSONWriter.bytes(result).prefix(300), as: UTF8.self)
      if let declared = results.reason?.value, case .string(let text) = try value(of: declared, in: scope) {
        reason = text
      }
      failures.append(ItemFailure(item: index, rule: "refused", pointer: "", reason: reason))
    }
    return failures
  }

  private func results(
    _ results: RequestBatch.Results, in responseBytes: [UInt8]?
  ) throws(ReactorError) -> [JSONValue] {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(parsing: responseBytes ?? [])
    } catch {
      throw .parser("the response with the results of the batch is not JSON: \(error)")
    }
    let values = try results.path.value.found(in: root)
    if values.count == 1, results.path.value.singularSteps != nil, case .array(let elements) = values[0] {
      return elements
    }
    return values
  }

  private func value(
    of expression: Expression, in scope: EvaluationScope
  ) throws(ReactorError) -> ExpressionValue {
    do throws(EvaluationError) {
      return try expression.evaluate(in: scope, now: scope.now)
    } catch {
      throw .parser("'\(expression.text)' cannot be evaluated for a result of the batch: \(error.message)")
    }
  }
}
