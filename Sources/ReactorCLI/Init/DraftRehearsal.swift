internal import BatchRunner
internal import Fixtures
internal import FlowCompiler
internal import FlowFolders
internal import FlowModel
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

/// Runs a draft as `reactor run` would, in a temporary folder and with at most two pages.
///
/// Its responses are recorded there, so that a later rehearsal sends only requests that no earlier one has sent.
struct DraftRehearsal {
  /// The flow after a rehearsal, and what was received.
  struct Outcome {
    let state: FlowState
    /// The first records as JSON.
    let records: [String]
    /// The responses in the order of the recording.
    let responses: [Response]
  }

  /// A response of a server.
  struct Response {
    let status: Int
    let headers: Headers
    let body: [UInt8]
  }

  /// The number of pages that are requested.
  static let pages = 2
  private static let retainedRecords = 20

  let invocation: Invocation
  /// The folder of everything that a rehearsal writes.
  let folder: String

  /// The problems of a flow file, as `reactor check` finds them.
  static func problems(of text: String, path: String) -> DiagnosticBag {
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: path, text: text)])
    var diagnostics = loaded.diagnostics
    diagnostics.merge(FlowCompiler.problems(in: loaded.flows))
    return diagnostics
  }

  /// Runs the only flow of a draft.
  ///
  /// - Parameters:
  ///   - mode: `all` sends every request, `new` those that were not sent yet, `none` no request
  ///   - secrets: the values of the secrets that the draft names
  func run(
    _ draft: DraftFile, _ mode: FlowTape.Mode, secrets: [String: String]
  ) async throws(CommandError) -> Outcome {
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "draft.yaml", text: draft.text)])
    var settings = FixtureSettings()
    (settings.folder, settings.mode, settings.now) = ("\(folder)/fixtures", mode, invocation.now)
    (settings.retainedRecords, settings.recordsFailures) = (Self.retainedRecords, true)
    var order = AssemblyOrder()
    order.demand = .always
    order.environment = invocation.settings.environment
    // Everything that a run writes is in the folder, which is removed also when a signal ends the program.
    order.environment["TMPDIR"] = folder
    order.secrets = secrets.mapValues { Secret($0) }
    order.learn = { [console = invocation.console] in console.learn($0) }
    let session: FixtureSession
    do throws(FixtureError) {
      session = try FixtureSession(settings, loaded.flows, environment: order.environment, secrets: secrets)
    } catch {
      throw CommandError(error, .notWritten)
    }
    defer { session.close() }
    order.fixtures = session
    let assembled = invocation.assembly.assemble(session.prepared(loaded.flows).map(\.shortened), order)
    var diagnostics = loaded.diagnostics
    diagnostics.merge(assembled.diagnostics)
    guard !diagnostics.hasErrors, let id = loaded.flows.first?.id else {
      await assembled.close()
      invocation.console.show(diagnostics)
      throw CommandError(
        "the draft has errors", help: "write it with -o FILE, and correct it there", .configuration)
    }
    guard let state = await invocation.execute(assembled).flows.first else { throw .ended(.internalError) }
    do throws(FixtureError) {
      return Outcome(
        state: state, records: session.outcome(of: id)?.records ?? [],
        responses: try responses(of: id, base: draft.base))
    } catch {
      throw CommandError(error, .notWritten)
    }
  }

  /// The recorded responses with the address of their server.
  private func responses(of flow: String, base: String) throws(FixtureError) -> [Response] {
    let cassette = try FixtureFolder(root: "\(folder)/fixtures", flow: flow).load()
    let scrubber = Scrubber(bases: [try FixtureBase(parsing: base)])
    var responses: [Response] = []
    for entry in cassette?.entries ?? [] {
      guard case .response(let response) = entry.outcome else { continue }
      responses.append(
        Response(
          status: response.status,
          headers: Headers(response.headers.map { Headers.Field($0.name, scrubber.restore($0.value)) }),
          body: scrubber.restore(try response.body.bytes)))
    }
    return responses
  }
}

extension FlowDeclaration {
  /// The flow with the first pages only, and without conditions that only all records can meet.
  fileprivate var shortened: FlowDeclaration {
    var flow = self
    flow.pull.pages?.max = DraftRehearsal.pages
    flow.pull.pages?.keepsPart = true
    flow.expect = Expectations()
    return flow
  }
}
