internal import Databases
internal import FlowModel
public import ReactorCore
internal import Storage

extension DeclaredFlow {
  /// A part of a flow that uses a database.
  public enum StoredPart: Sendable, Hashable {
    /// The table of the result.
    case result
    /// The table of the rejected records.
    case rejected
    /// The parent with this number, from 0, whose records are rows.
    case parent(Int)
  }

  /// Asks the databases of the flow whether they would accept its loads and queries. Changes nothing, and sends no HTTP
  /// request.
  ///
  /// - Returns: each part that uses a database, with the reason why it would fail; a nil reason when it would not fail
  @concurrent public func rehearse() async -> [(part: StoredPart, failure: ReactorError?)] {
    var parts: [(part: StoredPart, failure: ReactorError?)] = []
    if let result = tableResult {
      let receiver = TableReceiver(result, of: self, from: .any, nil, by: tableRun(result, since: 0))
      parts.append((.result, await failure { () throws(ReactorError) in try await receiver.rehearse() }))
    }
    if case .table(let table)? = plan.result.rejected {
      let rejected = RejectedTable(table, of: plan.id, in: environment)
      parts.append((.rejected, await failure { () throws(ReactorError) in try await rejected.rehearse() }))
    }
    for (number, parent) in (plan.each?.parents ?? []).enumerated() {
      guard case .rows(let rows) = parent.source else { continue }
      let found = await failure { () throws(ReactorError) in
        try await rows.rehearse(orderedBy: parent.identifyingFields, in: environment)
      }
      parts.append((.parent(number), found))
    }
    return parts
  }

  private func failure(_ work: () async throws(ReactorError) -> Void) async -> ReactorError? {
    do throws(ReactorError) {
      try await work()
      return nil
    } catch {
      return masked(error)
    }
  }
}
