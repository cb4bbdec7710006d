public import Boxes
public import FlowTerms

/// The request of a flow's first run, and how its response is read.
public struct FirstRunDeclaration: Sendable {
  /// Replaces the flow's own.
  @Boxed public var pull: PullDeclaration
  /// The age of a position from which on the request is sent again; nil for never.
  public var againAfter: CursorTerms.Distance?
}

extension FlowDeclaration {
  /// The flow as its first run is declared; nil if the first run is like every other.
  public var inFirstRun: FlowDeclaration? {
    guard let firstRun else { return nil }
    var flow = self
    flow.firstRun = nil
    flow.pull = firstRun.pull
    flow.expect.total = nil
    return flow
  }
}

extension CursorDeclaration {
  /// The cursor of a first run with its own request, in which only templates have the range.
  var unbound: CursorDeclaration {
    var cursor = self
    cursor.query = nil
    cursor.endQuery = nil
    cursor.slice = nil
    cursor.cap = nil
    cursor.isDescending = false
    cursor.keepsPart = false
    return cursor
  }
}
