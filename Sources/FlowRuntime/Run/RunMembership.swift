public import Databases
public import ReactorCore
internal import Storage

/// The part of this process in a run of several processes: which flows it may publish, and how fast it may request.
public protocol RunMembership: Sendable {
  /// The id of the run, which all its processes have in common.
  var run: String { get }

  /// Limits the requests of all processes.
  var pace: any SharedPace { get }

  /// Throws `.persistence` if another process runs the flow now, or if that cannot be found out.
  ///
  /// - Parameter flow: the id of the flow
  func check(_ flow: String) async throws(ReactorError)

  /// Whether another process has begun the flow in this run, or this one has before it was interrupted.
  ///
  /// - Parameter flow: the id of the flow
  func isRepeated(_ flow: String) async -> Bool

  /// The condition for a load of the flow, which its transaction checks; nil when the claims are not in that database.
  ///
  /// - Parameters:
  ///   - flow: the id of the flow
  ///   - url: the URL of the database
  func condition(_ flow: String, at url: String) async -> LoadCondition?

  /// Passes parents of the flow to other processes; nil if this process does not run the flow.
  ///
  /// - Parameter flow: the id of the flow
  func ranges(of flow: String) async -> (any RangeExchange)?
}

extension RunMembership {
  /// The hash of the run's name, which results of the run have in their stamps.
  var runHash: UInt64 { ContentHash.of(run.utf8) }
}
