import Expressions
import FlowTesting
import Foundation
import Synchronization
import TestSupport

/// A server that gives at most a part of each range of a number, in pages, and remembers what it was asked.
final class CappedShop: Sendable {
  struct Row: Sendable { var id: Int, time: Int }

  /// What the server does with a page behind its cap.
  enum Beyond: CaseIterable { case empty, refused }

  struct Settings: Sendable {
    /// The number of records of one range.
    var cap = Int.max
    /// The number of records of one page.
    var size = 2
    var bounds = "[)"
    /// Whether the records come in the order of their times.
    var isSorted = true
    var beyond = Beyond.empty
    /// Whether responses say how many records the range has.
    var hasTotal = false
    /// Whether times are written as timestamps and not as numbers.
    var hasTimestamps = false
    /// The length of what the server makes of a written bound: 86,400 for days.
    var unit = 1
  }

  /// The second that a time of 0 is, since 1970: 2023-11-01.
  static let epoch = 1_698_796_800

  let rows: Mutex<[Row]>
  let settings: Settings
  let asked = Mutex<[String]>([])
  /// Parts of queries that are answered with 500.
  let broken = Mutex<Set<String>>([])

  init(_ rows: [Row], _ settings: Settings) {
    self.rows = Mutex(rows)
    self.settings = settings
  }

  /// What was asked since the last call, without the host.
  func takeAsked() -> [String] {
    asked.withLock { asked in
      defer { asked = [] }
      return asked
    }
  }

  func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
    let target = request.target.removingPercentEncoding ?? ""
    asked.withLock { $0.append(target) }
    if broken.withLock({ $0.contains { target.contains($0) } }) { return FlowTesting.answer("500 Oh No", "{}") }
    var query: [String: String] = [:]
    for item in URLComponents(string: request.target)?.queryItems ?? [] { query[item.name] = item.value }
    var found = rows.withLock { $0 }.filter { row in
      let time = settings.hasTimestamps ? row.time + Self.epoch : row.time
      // A server that thinks in days has days with all of their times.
      let place = time / settings.unit
      if let since = query["since"].flatMap(number).map({ $0 / Double(settings.unit) }),
        settings.bounds.hasPrefix("[") ? Double(place) < since : Double(place) <= since
      {
        return false
      }
      if let until = query["until"].flatMap(number).map({ $0 / Double(settings.unit) }),
        settings.bounds.hasSuffix("]") ? Double(place) > until : Double(place) >= until
      {
        return false
      }
      return true
    }
    found.sort { settings.isSorted ? ($0.time, $0.id) < ($1.time, $1.id) : Self.mixed($0.id) < Self.mixed($1.id) }
    let total = found.count
    let page = query["page"].flatMap { Int($0) } ?? 1
    let first = (page - 1) * settings.size
    if settings.beyond == .refused, first >= settings.cap {
      return FlowTesting.answer("400 Bad Request", #"{"error":"too far"}"#)
    }
    found = Array(found.prefix(settings.cap).dropFirst(first).prefix(settings.size))
    let items = found.map { #"{"id":\#($0.id),"t":\#(written($0.time))}"# }.joined(separator: ",")
    return ok(settings.hasTotal ? #"{"total":\#(total),"data":[\#(items)]}"# : #"{"data":[\#(items)]}"#)
  }

  private static func mixed(_ id: Int) -> Int { (id &* 7919) % 101 }

  private func written(_ time: Int) -> String {
    guard settings.hasTimestamps else { return String(time) }
    return "\"\(Self.text(time))\""
  }

  static func text(_ time: Int) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: TimeInterval(epoch + time)))
  }

  /// A bound: a number, or a time in seconds since 1970.
  private func number(_ text: String) -> Double? {
    if let number = Double(text) { return number > 1e11 ? number / 1000 : number }
    return ExpressionTimestamp(iso8601: text).map { Double($0.secondsSince1970) + Double($0.nanosecond) / 1e9 }
  }
}
