import Dispatch
import FlyingFox
import FlyingSocks
import Foundation

/// Serves a small fictional shop on the loopback address until a signal ends it.
@main
enum DemoCommand {
  static let usage = """
    usage: demo-api [--port N]

      --port N   TCP port on 127.0.0.1; 0, the default, selects a free one

    Prints 'listening on http://127.0.0.1:PORT' when it accepts requests, and ends on SIGTERM or SIGINT.

    """

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let port: UInt16
    switch arguments(CommandLine.arguments.dropFirst()) {
    case .serve(let wanted): port = wanted
    case .help:
      FileHandle.standardOutput.write(Data(usage.utf8))
      return
    case .wrong(let complaint):
      FileHandle.standardError.write(Data("demo-api: \(complaint)\n\(usage)".utf8))
      exit(2)
    }
    do {
      try await serve(on: port)
    } catch {
      FileHandle.standardError.write(Data("demo-api: cannot serve on 127.0.0.1:\(port): \(error)\n".utf8))
      exit(1)
    }
  }

  private enum Request {
    case serve(UInt16)
    case help
    case wrong(String)
  }

  private static func arguments(_ arguments: ArraySlice<String>) -> Request {
    var port: UInt16 = 0
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "-h", "--help": return .help
      case "--port":
        guard let text = rest.popFirst(), let number = UInt16(text) else {
          return .wrong("--port needs a number from 0 to 65535")
        }
        port = number
      default: return .wrong("unknown argument '\(argument)'")
      }
    }
    return .serve(port)
  }

  private static func serve(on port: UInt16) async throws {
    let server = HTTPServer(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: 120, logger: .disabled,
      handler: ShopAPI())
    let (told, teller) = AsyncStream<Void>.makeStream()
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { teller.yield() }
      source.resume()
      return source
    }
    defer { sources.forEach { $0.cancel() } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask {
        try await server.waitUntilListening(timeout: 10)
        guard case .ip4(_, let bound)? = await server.listeningAddress else { return }
        FileHandle.standardOutput.write(Data("listening on http://127.0.0.1:\(bound)\n".utf8))
        for await _ in told { throw CancellationError() }
      }
      do {
        while try await group.next() != nil {}
      } catch is CancellationError {
        // An active transfer gets one second to finish.
        await server.stop(timeout: 1)
        group.cancelAll()
        // An error of a server that was stopped is irrelevant.
        while (try? await group.next()) != nil {}
      }
    }
  }
}
