@testable import Databases
@testable import FlowCompiler
@testable import FlowRuntime
@testable import FlowSpec
import Testing

/// A value that is copied at every call of a flow's way must be small. A part that few flows have is behind a box.
@Suite struct ValueSizeTests {
  private static let limit = 512

  private static let sizes: [(type: String, bytes: Int)] = [
    size(FlowDeclaration.self), size(PullDeclaration.self), size(TransferDeclaration.self),
    size(FirstRunDeclaration.self), size(RequestDeclaration.self), size(PagesDeclaration.self),
    size(CursorDeclaration.self), size(EachDeclaration.self), size(EachParent.self), size(JobDeclaration.self),
    size(AuthDeclaration.self), size(AuthDeclaration.OAuth2.self), size(AuthDeclaration.Login.self),
    size(AuthDeclaration.Choice.self), size(MappingDeclaration.self), size(PersistenceDeclaration.self),
    size(FlowReader.self), size(FlowReader.FileContext.self), size(FlowReader.FileReading.self),
    size(FlowReader.JobReading.self), size(FlowReader.ResourceReading.self), size(HTTPSettings.self),
    size(FlowCompiler.Compiled.self), size(FlowCompiler.Tools.self), size(ResultIdentity.self),
    size(RequestResolver.self),
    size(FlowPlan.self), size(FirstRunPlan.self), size(FlowOrigin.self), size(RequestPlan.self),
    size(RequestProgram.self), size(TransferPlan.self), size(RecordsPlan.self), size(ResultPlan.self),
    size(PagePlan.self), size(CursorPlan.self), size(EachPlan.self), size(JobPlan.self), size(DownloadPlan.self),
    size(AuthPlan.self), size(AuthPlan.Source.self), size(FieldGroups.self), size(StorePlan.self),
    size(TablePersistence.self), size(Pull.self), size(Pull.Outcome.self), size(PageReading.self),
    size(PageFollower.self), size(EachPull.self), size(EachPull.Progress.self), size(PartitionRequest.self),
    size(PartitionResult.self), size(Checkpoint.self), size(CappedRange.self), size(CursorRun.self),
    size(JobPull.self), size(JobRequests.self), size(JobState.self), size(RejectedTracking.self),
    size(RejectedRecords.Retention.self), size(FlowOutcome.self), size(TableLoad.self), size(TableRun.self),
  ]

  private static func size<Value>(_ type: Value.Type) -> (String, Int) {
    (String(reflecting: type), MemoryLayout<Value>.size)
  }

  @Test(arguments: sizes) func `no value on the way of a flow is larger than 512 bytes`(_ type: String, _ bytes: Int) {
    #expect(bytes <= Self.limit, "\(type) has \(bytes) bytes: put a part that few flows have into a box (Boxes)")
  }
}
