import FlowTesting
import Foundation
import Synchronization
import TestSupport

/// A server with jobs: `POST /exports` creates one, and its polls say how it is.
final class JobServer: Sendable {
  struct State {
    /// The ids of all jobs so far: j1, j2, …
    var created: [String] = []
    /// Jobs that were neither deleted nor downloaded.
    var open: Set<String> = []
    /// The greatest number of such jobs.
    var mostOpen = 0
    /// The number of polls by job.
    var polls: [String: Int] = [:]
    /// What was asked since the last call of `takeAsked`.
    var asked: [String] = []
  }

  /// The states that the polls of a job report, the last one for ever.
  let states: Mutex<[String]>
  /// The states of single jobs in place of these, by id.
  let own = Mutex<[String: [String]]>([:])
  let state = Mutex(State())
  /// Responses in place of the usual ones, by method and path; the word `JOB` stands for each id.
  let others = Mutex<[String: [ScriptedServer.Step]]>([:])

  init(_ states: [String] = ["queued", "running", "done"]) { self.states = Mutex(states) }

  func takeAsked() -> [String] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }

  /// From now on a request is answered otherwise; nil for the usual response.
  func answer(_ request: String, _ steps: [ScriptedServer.Step]?) { others.withLock { $0[request] = steps } }

  func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
    let path = String(request.target.prefix { $0 != "?" })
    let steps = path.split(separator: "/").map(String.init)
    let id = steps.count > 1 ? steps[1] : ""
    state.withLock { state in
      state.asked.append("\(request.method) \(request.target)")
    }
    let pattern = "\(request.method) " + (id.isEmpty ? path : path.replacing("/\(id)", with: "/JOB"))
    if let other = others.withLock({ $0[pattern] }) { return other }
    switch (request.method, steps.count) {
    case ("POST", 1):
      let id = state.withLock { state in
        let id = "j\(state.created.count + 1)"
        state.created.append(id)
        state.open.insert(id)
        state.mostOpen = max(state.mostOpen, state.open.count)
        return id
      }
      return FlowTesting.answer(
        "201 Created", #"{"id":"\#(id)","region":"eu","links":{"state":"/exports/\#(id)?via=link"}}"#,
        ["Location: /exports/\(id)?via=location"])
    case ("GET", 2):
      let polls = state.withLock { state in
        state.polls[id, default: 0] += 1
        return state.polls[id] ?? 1
      }
      let words = own.withLock { $0[id] } ?? states.withLock { $0 }
      let word = words[min(polls, words.count) - 1]
      return ok(
        #"{"id":"\#(id)","state":"\#(word)","urls":["/files/\#(id)/1","/files/\#(id)/2"],"why":"because"}"#)
    case ("GET", 3):
      state.withLock { _ = $0.open.remove(id) }
      let number = Int(steps[2]) ?? 1
      return ok(#"[{"id":\#(number),"name":"\#(id)"}]"#)
    case ("DELETE", 2):
      state.withLock { _ = $0.open.remove(id) }
      return FlowTesting.answer("200 OK", "")
    default: return FlowTesting.answer("404 Not Found", #"{"error":"no such thing"}"#)
    }
  }
}
