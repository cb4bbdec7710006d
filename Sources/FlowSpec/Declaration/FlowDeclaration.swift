public import Boxes
package import Expressions
package import FlowModel
package import SourceDiagnostics

/// One flow as its file declares it.
///
/// File-level defaults are already applied. All templates are unresolved.
public struct FlowDeclaration: Sendable {
  /// The id of the flow, `file-stem.flow-name`, which is unique in a run.
  public var id: String
  /// The flow's key in its file.
  public var name: String
  /// The source location of the flow's key.
  package var range: SourceRange
  /// The file that contains the flow, with its variables and secrets.
  @Boxed public var file: FileDeclaration
  /// The purpose of the flow, for readers.
  public var description: String?
  /// Labels for selecting flows, in order, without duplicates.
  public var tags: [String] = []
  /// The condition on variables under which the flow runs; nil if it always does.
  @BoxedIfPresent package var when: Located<Expression>?
  /// When an engine starts an exported job of the flow; nil if no one does. A run does not read it.
  @BoxedIfPresent package var schedule: Located<Schedule>?
  /// The names of the secrets that templates of the flow itself use.
  package var secrets: Set<String> = []
  /// The authorization of requests: the flow's `auth`, else the `auth` of `http`. Nil if both are absent.
  @BoxedIfPresent package var auth: Located<WrittenAuth>?
  /// What the flow requests, and how its responses are read.
  @Boxed package var pull: PullDeclaration
  /// How the requests are sent. Most flows of a file share one value.
  @Boxed package var transfer: Transfer
  /// The parents: one request is sent for each of their records. Nil means a single request.
  @BoxedIfPresent package var each: Each<EachSource>?
  /// The schema that maps records; nil leaves each record as received.
  package var schema: SchemaDeclaration?
  /// Whether bad records are dropped. If false, a bad record fails the flow.
  package var prune: Bool = true
  /// Whether the host is probed before the request is sent.
  package var reachability: Bool = true
  /// Where and how the result and the rejected records are stored.
  @Boxed package var result = ResultStorage<WrittenTarget>()
  /// The conditions that the result must meet.
  @Boxed package var expect = Expectations()
  /// What the first run requests; nil if it requests the same as every other run.
  @BoxedIfPresent package var firstRun: PullDeclaration?
  /// The path of the file in which each response is stored, relative to the output root; nil if responses have records.
  @BoxedIfPresent package var download: Located<Template>?
  /// The maximum time of the flow, in seconds, if declared.
  @BoxedIfPresent package var deadline: Located<Double>?
  /// The rules for comparisons with recordings and goldens.
  @Boxed package var fixture = FixtureDeclaration()

  /// Creates a flow with only the required properties.
  init(
    id: String, name: String, range: SourceRange, file: Boxed<FileDeclaration>, pull: PullDeclaration,
    transfer: Boxed<Transfer>
  ) {
    self.id = id
    self.name = name
    self.range = range
    _file = file
    self.pull = pull
    _transfer = transfer
  }

  /// Whether the flow sends exactly one request.
  package var isOneRequest: Bool { each == nil && pull.isOneRequest }

  /// The flow with the requests of its first run; nil if the first run is like every other.
  package var inFirstRun: FlowDeclaration? {
    guard let firstRun else { return nil }
    var flow = self
    flow.firstRun = nil
    flow.pull = firstRun
    flow.expect.total = nil
    return flow
  }
}

/// The declarations of a flow file that all its flows share, such as the names that templates may use.
public struct FileDeclaration: Sendable {
  /// The path as the user wrote it.
  public var path: String
  /// The path's last component without `.yaml`, `.yml` and `.flow`. It is the first part of every flow's id.
  package var stem: String
  /// The purpose of the file, for readers.
  public var description: String?
  /// The variables, in the order written.
  package var variables: [VariableDeclaration]
  /// The names of the secrets, in the order written.
  package var secrets: [Located<String>]
  /// Where a run reads secrets that nobody gives to it, by name.
  package var secretSources: [String: Located<SecretSource>] = [:]
  /// The names of the secrets that parts of the file use which all its flows share.
  package var sharedSecrets: Set<String> = []
  /// The databases into which flows of the file load, in the order written.
  package var stores: [Store<Located<Template>>] = []
  /// The URL of the database with the state that several processes share; nil if it is not declared.
  package var state: Located<Template>?
  /// Who is told about the flows of the file, in the order written.
  package var receivers: [ReceiverDeclaration] = []
  /// The variables that one item of a `for` gives to its flow, as text; nil for a flow without `for`.
  package var item: String?

  /// Identifies a set of variable values: those of a file, or those of one item of a `for` in it.
  package var scopeKey: String { item.map { "\(path)\u{0}\($0)" } ?? path }
}

/// A typed value that the file declares and the command line can replace.
package struct VariableDeclaration: Sendable {
  /// The name, which templates write after `vars.`.
  package var name: Located<String>
  /// The type as which the variable's text is read.
  package var type: VariableType
  /// The value that is used if none is given. If it is nil, a value must be given.
  package var defaultValue: VariableValue?
  /// The purpose of the variable, for readers.
  package var description: String?
  /// The template that gives the value from the variables before this one; nil if it is not computed.
  package var computed: Located<Template>?
  /// The condition that each value satisfies, over `value`; nil if every value of the type is allowed.
  package var condition: Located<Expression>?
  /// Whether an item of a `for` gives the value, so that it cannot be set in another way.
  package var isItem = false
}
