import FlowModel

@testable import Databases
@testable import FlowCompiler
import FlowModel
@testable import FlowRuntime
@testable import FlowSpec
import ReactorCore
import Testing

/// A value that is copied at every call of a flow's way must be small. A part that few flows have is behind a box.
@Suite struct ValueSizeTests {
  private static let limit = 512

  private static let sizes: [(type: String, bytes: Int)] = [
    size(FlowDeclaration.self), size(PullDeclaration.self), size(Transfer.self), size(Retry.self), size(Rate.self),
    size(RequestDeclaration.self), size(Pages.self), size(Cursor.self), size(Each<EachSource>.self),
    size(Each<EachSource>.Parent.self), size(JobTerms.self),
    size(WrittenAuth.self), size(OAuth2<Located<Template>, SignedToken>.self), size(Login<RequestDeclaration>.self),
    size(WrittenAuth.Choice.self), size(MappingDeclaration.self), size(ResultStorage<WrittenTarget>.self),
    size(FlowReader.self), size(FlowReader.FileContext.self), size(FlowReader.FileReading.self),
    size(Job<RequestDeclaration>.self), size(HTTPSettings.self),
    size(FlowCompiler.Compiled.self), size(FlowCompiler.Tools.self), size(ResultIdentity.self),
    size(RequestResolver.self),
    size(FlowPlan.self), size(FlowOrigin.self), size(RequestPlan.self),
    size(RequestProgram.self), size(ErrorRule.self), size(RecordsPlan.self), size(ResultStorage<ResolvedTarget>.self),
    size(Each<ParentSource>.self), size(Job<RequestPlan>.self),
    size(AuthPlan.self), size(ResolvedAuth.self), size(OAuth2<FilledText, FilledToken>.self), size(FieldGroups.self),
    size(Store<String>.self),
    size(TablePersistence.self), size(Pull.self), size(Pull.Outcome.self), size(PageReading.self),
    size(PageFollower.self), size(EachPull.self), size(EachPull.Progress.self), size(PartitionRequest.self),
    size(PartitionResult.self), size(Checkpoint.self), size(CappedRange.self), size(CursorRun.self),
    size(JobPull.self), size(JobRequests.self), size(JobState.self), size(RejectedTracking.self),
    size(RejectedRecords.Retention.self), size(FetchSummary.self), size(TableLoad.self), size(TableRun.self),
    size(TableReceiver.self), size(StagedTableResult.self),
  ]

  private static func size<Value>(_ type: Value.Type) -> (String, Int) {
    (String(reflecting: type), MemoryLayout<Value>.size)
  }

  @Test(arguments: sizes) func `no value on the way of a flow is larger than 512 bytes`(_ type: String, _ bytes: Int) {
    #expect(bytes <= Self.limit, "\(type) has \(bytes) bytes: put a part that few flows have into a box (Boxes)")
  }
}
