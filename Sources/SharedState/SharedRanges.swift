internal import ByteCodings
internal import Databases
internal import FlowRuntime

/// Passes ranges of one flow's parents to the other processes of a run.
struct SharedRanges: RangeExchange {
  /// How long a statement is tried again. Without the database the flow's process sends all requests.
  static let patience = Duration.seconds(2)

  private let run: SharedRun
  private let flow: String
  private let unit: Int
  private let fence: Int64

  init(_ run: SharedRun, _ flow: String, unit: Int, fence: Int64) {
    self.run = run
    self.flow = flow
    self.unit = unit
    self.fence = fence
  }

  func offer(_ number: Int, _ content: [UInt8]) async {
    _ = await rows(
      RangeStatements.offer,
      [
        run.id, run.member.id, flow, String(unit), String(fence), String(number),
        String(decoding: content, as: UTF8.self),
      ])
  }

  func claim(_ number: Int) async -> RangeClaim {
    guard let row = await rows(RangeStatements.claim, of: number).first, !row.isTrue(0) else { return .own }
    return row.text(1).flatMap { Base64.decode(Array($0.utf8)) }.map { .responses($0) } ?? .elsewhere
  }

  func claimFree(from number: Int) async -> Int? {
    await rows(RangeStatements.claimFree, of: number).first?.index(0)
  }

  func end() async { _ = await rows(RangeStatements.end, [run.id, flow, String(fence)]) }

  private func rows(_ statement: String, of number: Int) async -> [StateRow] {
    await rows(
      statement, [run.id, run.member.id, flow, String(fence), String(number), run.settings.lease.text])
  }

  private func rows(_ statement: String, _ values: [String]) async -> [StateRow] {
    (try? await run.database.run(statement, values, for: Self.patience)) ?? []
  }
}
