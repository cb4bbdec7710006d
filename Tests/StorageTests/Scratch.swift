import Foundation
import ReactorCore
import Storage

/// A temporary folder with a root in it; removed at the end.
final class Scratch: Sendable {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("storage-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func root(_ durability: Durability = .fast) -> OutputRoot { OutputRoot(path: folder, durability: durability) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path(name))) }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  func mode(_ name: String) throws -> Int {
    (try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  func inode(_ name: String) throws -> Int {
    (try FileManager.default.attributesOfItem(atPath: path(name))[.systemFileNumber] as? NSNumber)?.intValue ?? -1
  }

  /// All names in a folder, hidden ones too, sorted.
  func names(_ sub: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sub.isEmpty ? folder : path(sub)).sorted()
  }
}

extension Provenance {
  static func at(_ time: Int64) -> Provenance { Provenance(writtenAt: time, resource: 1, schema: 2, recordCount: 3) }
}

extension OutputPath {
  /// A path that is known to be good.
  static func good(_ text: String) throws -> OutputPath { try OutputPath(parsing: text) }
}

extension [UInt8] {
  init(_ text: String) { self = Array(text.utf8) }

  /// Bytes that do not repeat soon.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    let block: [UInt8] = (0..<4096).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 4096)
    // Whole blocks, each with its number in it: a debug build would take seconds for megabytes of single bytes.
    while bytes.count < count {
      let start = bytes.count
      bytes += block
      if start > 0 { bytes.replaceSubrange(start..<start + 8, with: (0..<8).map { UInt8(start >> ($0 * 8) & 0xFF) }) }
    }
    return Array(bytes[..<count])
  }
}

/// What the call throws; nil when it does not.
func failure<Value>(of call: () async throws(ReactorError) -> Value) async -> ReactorError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error
  }
}

/// Runs a program to its end; returns its exit status, or -1 when it cannot be started.
@discardableResult
func run(_ program: String, _ arguments: String...) -> Int32 {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return -1 }
  process.waitUntilExit()
  return process.terminationStatus
}
