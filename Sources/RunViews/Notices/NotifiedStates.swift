package import FlowModel
package import JSONSyntax
internal import SourceDiagnostics

/// What one receiver was told about its flows.
///
/// A receiver is told the difference between this and how its flows are. What could not be delivered stays different,
/// so it is told after the next run; what is over before it could be told is never told.
package struct NotifiedStates: Sendable, Hashable {
  /// What the receiver was told about one flow.
  package struct Flow: Sendable, Hashable {
    /// The state that the receiver knows: failing or missing; nil if all is well.
    package var problem: FlowHealth.State?
    /// Whether the receiver knows that the result is stale.
    package var isStale = false
    /// Whether the flow has passed for the first time, and the receiver does not know it yet.
    package var awaitsFirst = false

    /// Creates the knowledge that all is well.
    package init() {}

    /// Whether nothing is to be remembered.
    fileprivate var isEmpty: Bool { self == Flow() }
  }

  /// What is new about a flow.
  package struct News: Sendable, Hashable {
    /// What the receiver is told.
    package let lines: [Notice.Line]
    /// What the receiver then knows.
    fileprivate let after: Flow
    /// The id of the flow.
    fileprivate let flow: String
  }

  /// What the receiver knows about each flow, by its id. Flows about which it knows nothing bad are absent.
  package private(set) var flows: [String: Flow] = [:]

  /// Creates the knowledge of a receiver that was told nothing.
  package init() {}

  /// What is new. What is over without being told, or is no longer of interest, is forgotten.
  ///
  /// - Parameters:
  ///   - health: the flows of the history
  ///   - wanted: what the receiver wants to be told about each flow; flows that are absent no longer exist for it
  ///   - firsts: the flows that have just passed for the first time
  ///   - now: seconds since 1970
  package mutating func news(
    of health: [FlowHealth], _ wanted: [String: Set<NoticeEvent>], firsts: Set<String>, at now: Int64
  ) -> [News] {
    // A flow that the history does not have is as it was: another run may have told it and not this reader.
    var known = flows.filter { wanted[$0.key] != nil }
    var news: [News] = []
    for health in health {
      guard let events = wanted[health.flow] else { continue }
      var told = known[health.flow] ?? Flow()
      // A flow that was ended before it started is as it was.
      guard health.state != .unknown else { continue }
      if events.contains(.first), firsts.contains(health.flow) { told.awaitsFirst = true }
      let present = Flow(health, events, at: now)
      let lines = told.differences(to: present, events).map { Notice.Line($0, health, at: now) }
      if lines.isEmpty {
        known[health.flow] = present
      } else {
        known[health.flow] = told
        news.append(News(lines: lines, after: present, flow: health.flow))
      }
    }
    self.flows = known.filter { !$0.value.isEmpty }
    return news
  }

  /// Remembers that the receiver was told something.
  package mutating func take(_ news: News) { flows[news.flow] = news.after.isEmpty ? nil : news.after }
}

extension NotifiedStates.Flow {
  /// What a receiver is to know about a flow.
  fileprivate init(_ health: FlowHealth, _ events: Set<NoticeEvent>, at now: Int64) {
    switch health.state {
    case .failing where events.contains(.failed), .missing where events.contains(.missing): problem = health.state
    default: break
    }
    isStale = events.contains(.stale) && health.isStale(at: now)
  }

  /// What has happened between two states of the receiver's knowledge.
  fileprivate func differences(to now: Self, _ events: Set<NoticeEvent>) -> [NoticeEvent] {
    var found: [NoticeEvent] = []
    if now.problem != problem {
      switch now.problem {
      case .failing: found.append(.failed)
      case .missing: found.append(.missing)
      default: break
      }
    }
    if now.isStale, !isStale { found.append(.stale) }
    let isWell = now.problem == nil && !now.isStale
    if isWell, problem != nil || isStale, events.contains(.recovered) { found.append(.recovered) }
    if awaitsFirst { found.append(.first) }
    return found
  }
}

extension FlowHealth {
  /// Whether a run is the only one in which the flow passed.
  package func isFirstSuccess(in run: String) -> Bool {
    last.run == run && last.status == .passed && runs.count { $0.status == .passed } == 1
  }
}

// MARK: - Document

extension NotifiedStates {
  /// The document, with the number of its form.
  ///
  /// - Parameter version: the number of the form
  package func bytes(version: Int64) -> [UInt8] {
    let members = flows.sorted { $0.key < $1.key }.map { flow, told in
      var object = JSONObject()
      if let problem = told.problem { object["problem"] = .string(problem.rawValue) }
      if told.isStale { object["stale"] = .bool(true) }
      if told.awaitsFirst { object["first"] = .bool(true) }
      return JSONObject.Member(name: flow, value: .object(object))
    }
    return JSONWriter.bytes(
      .object(["version": .integer(version), "flows": .object(JSONObject(distinct: members))])) + [0x0A]
  }

  /// Reads the members of a document. Unknown members are left out.
  package init(_ document: JSONValue) {
    guard case .object(let members)? = document["flows"] else { return }
    for member in members.members {
      var flow = Flow()
      let problem = member.value["problem"]?.string.flatMap(FlowHealth.State.init(rawValue:))
      if problem == .failing || problem == .missing { flow.problem = problem }
      flow.isStale = member.value["stale"]?.bool ?? false
      flow.awaitsFirst = member.value["first"]?.bool ?? false
      if !flow.isEmpty { flows[member.name] = flow }
    }
  }
}
