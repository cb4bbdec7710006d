import Foundation
import Synchronization
import Testing
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A terminal without a screen: its width is what a test says at that instant, and what is written to it is kept.
final class PseudoTerminal: Sendable {
  private let master: Int32
  /// The side that programs write to.
  private let output: FileHandle
  private let written = Mutex([UInt8]())

  init(width: Int) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    self.master = master
    output = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    self.width = width
  }

  /// Columns that it tells.
  var width: Int {
    get {
      var size = winsize()
      return ioctl(master, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    }
    set {
      var size = winsize(ws_row: 24, ws_col: UInt16(newValue), ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }
  }

  /// All that was written to it.
  var text: String { String(decoding: written.withLock { $0 }, as: UTF8.self) }

  /// Starts the one program whose output and error output it is.
  func start(_ path: String, _ arguments: [String], in folder: URL, _ environment: [String: String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      .merging(["TERM": "xterm-256color"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try output.close()
    // Ends with the program: nobody holds the other side then.
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(master, &buffer, buffer.count), count > 0 {
        written.withLock { $0 += buffer[..<count] }
      }
      close(master)
    }
    return process
  }
}
