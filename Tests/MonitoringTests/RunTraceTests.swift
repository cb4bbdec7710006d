import BatchRunner
import ReactorCore
import Testing

@testable import Monitoring

@Suite struct RunTraceTests {
  private func trace(_ changes: (RunMutation, Int64)...) -> RunTrace {
    var trace = RunTrace(of: ["a.b"])
    trace.take(.started(at: .milliseconds(1)), at: 1_000_000)
    trace.take(.flowStarted(0, at: .milliseconds(2)), at: 9_000_000)
    for (change, now) in changes { trace.take(change, at: now) }
    return trace
  }

  @Test func `The times of flows follow from the clock of the run, and not from when changes are seen`() {
    let trace = trace(
      (.flowFailed(0, .cancelled, at: .milliseconds(7)), 12_000_000), (.finished(at: .milliseconds(8)), 13_000_000))
    #expect(trace.began == 1_000_000 && trace.ended == 8_000_000)
    #expect(trace.flows["a.b"]?.began == 2_000_000)
    #expect(trace.flows["a.b"]?.ended == 7_000_000)
  }

  @Test func `A step that is seen late ends with its flow`() {
    let trace = trace(
      (.flowProgressed(0, .finished(.request, .milliseconds(3))), 8_000_000),
      (.flowFailed(0, .cancelled, at: .milliseconds(7)), 12_000_000))
    #expect(
      trace.flows["a.b"]?.steps == [
        RunTrace.Step(name: "request", began: 4_000_000, ended: 7_000_000, hasFailed: false)
      ])
  }

  @Test func `A save may end after its flow, but not after the run`() {
    let trace = trace(
      (.flowFailed(0, .cancelled, at: .milliseconds(7)), 7_000_000),
      (.flowProgressed(0, .started(.save)), 8_000_000),
      (.flowProgressed(0, .failed(.save, .cancelled)), 11_000_000), (.finished(at: .milliseconds(10)), 12_000_000))
    #expect(
      trace.flows["a.b"]?.steps == [
        RunTrace.Step(name: "save", began: 7_000_000, ended: 10_000_000, hasFailed: true)
      ])
  }
}
