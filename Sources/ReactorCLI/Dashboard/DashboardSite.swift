internal import Fixtures
internal import RunViews
internal import Synchronization

/// A dashboard that is served on this machine, read-only, until a signal ends it.
///
/// The history is read again when it has changed, beside the requests: each of them has a page of what was read last.
final class DashboardSite: LoopbackContent {
  /// The time between two looks at the history's file, and between two readings of the shared state.
  private static let (fileInterval, stateInterval) = (Duration.seconds(2), Duration.seconds(30))

  private let source: DashboardSource
  private let port: UInt16
  private let dashboard = Mutex<Dashboard?>(nil)

  /// Prepares a site.
  ///
  /// - Parameter port: the port of 127.0.0.1; 0 for any free port
  init(_ source: DashboardSource, port: UInt16) { (self.source, self.port) = (source, port) }

  /// Serves the pages until a signal ends the command.
  func serve() async throws(CommandError) -> ExitCode {
    let stamps = source.stamps
    let first = try await source.dashboard()
    dashboard.withLock { $0 = first }
    let (invocation, server) = (source.invocation, try self.server())
    invocation.out.write(server.url + "\n")
    invocation.out.flush()
    server.start()
    let reading = Task { await self.read(after: stamps) }
    await invocation.signals?.firstSignal()
    reading.cancel()
    return .passed
  }

  private func server() throws(CommandError) -> LoopbackServer {
    do throws(FixtureError) {
      return try LoopbackServer(self, port: port) { _ in }
    } catch {
      throw CommandError(error, .notJudged)
    }
  }

  /// Reads the history when it has changed, until the task is cancelled.
  private func read(after stamps: FileStamps?) async {
    var (stamps, hasFailed) = (stamps, false)
    while !Task.isCancelled {
      try? await Task.sleep(for: stamps == nil ? Self.stateInterval : Self.fileInterval)
      let now = source.stamps
      if now != nil, now == stamps { continue }
      do throws(CommandError) {
        let next = try await source.dashboard()
        dashboard.withLock { $0 = next }
        (stamps, hasFailed) = (now, false)
      } catch {
        // A database that is away for a night must not fill a terminal.
        if !hasFailed { source.invocation.console.warn("the history cannot be read: \(error.message)") }
        hasFailed = true
      }
    }
  }

  // MARK: - Requests

  func reply(
    method: String, target: String, headers: [RecordedRequest.Field], body: [UInt8], base: FixtureBase
  ) -> ServedTapes.Reply {
    guard ["GET", "HEAD"].contains(method) else { return Self.reply(405, "only GET and HEAD are allowed\n") }
    let path = target.prefix { $0 != "?" && $0 != "#" }
    guard path.hasPrefix("/"), let dashboard = dashboard.withLock({ $0 }) else { return Self.reply(404, "no page\n") }
    // The names of pages are URLs already, so a target with an escape is none of them, except the tilde.
    let name = path.dropFirst().replacing("%7E", with: "~").replacing("%7e", with: "~")
    let page = dashboard.page(name.isEmpty ? Dashboard.start : String(name), at: source.invocation.now)
    guard let page else { return Self.reply(404, "there is no such page; the overview is at /\n") }
    return Self.reply(200, page, "text/html; charset=utf-8")
  }

  private static func reply(_ status: Int, _ text: String) -> ServedTapes.Reply {
    reply(status, Array(text.utf8), "text/plain; charset=utf-8")
  }

  private static func reply(_ status: Int, _ body: [UInt8], _ type: String) -> ServedTapes.Reply {
    var fields: [(String, String)] = [
      ("Content-Type", type),
      ("Content-Security-Policy", "\(Page.policy); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
      ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
    if status == 405 { fields.append(("Allow", "GET, HEAD")) }
    return ServedTapes.Reply(status: status, headers: fields.map { RecordedRequest.Field($0.0, $0.1) }, body: body)
  }
}
