import Foundation

/// Chromium without a window, as the reader of a page.
struct Browser {
  enum Scheme: Int, CaseIterable {
    case dark = 0
    case light = 1
  }

  private let program: String
  private let profile: URL

  /// Nil, after a line that says so, where there is none that starts.
  init?(for purpose: String) throws {
    guard let program = ForeignTool.find("chromium", "google-chrome", for: purpose) else { return nil }
    self.program = program
    profile = FileManager.default.temporaryDirectory.appendingPathComponent("reactor-browser-\(UUID().uuidString)")
    let ended = try call(["--dump-dom", "about:blank"])
    guard ended.status == 0, ended.output.contains("<html>") else {
      print("skipped: \(purpose): \(program) does not start here: \(ended.output.suffix(300))")
      close()
      return nil
    }
  }

  /// Takes the profile away.
  func close() { try? FileManager.default.removeItem(at: profile) }

  /// The document after it was loaded, and what the browser had to complain of.
  func load(_ page: String, width: Int = 1200, _ scheme: Scheme = .light) throws -> (
    document: String, complaints: [String]
  ) {
    let ended = try ForeignTool.withFile(Array(page.utf8), "page.html") {
      try call(["--dump-dom", "--window-size=\(width),900", Self.setting(scheme), "file://\($0)"])
    }
    let lines = ended.output.split(separator: "\n").map(String.init)
    let document = ended.output.range(of: "<!DOCTYPE html>").map { String(ended.output[$0.lowerBound...]) } ?? ""
    return (document, lines.filter { $0.contains(":CONSOLE") || $0.contains(":ERROR:content") })
  }

  /// A picture of the page; kept where `REACTOR_PAGES` names a folder, for people to look at.
  func picture(_ page: String, _ name: String, width: Int = 1200, height: Int = 900, _ scheme: Scheme) throws -> Data {
    try ForeignTool.withFile(Array(page.utf8), "page.html") { path in
      let target = path + ".png"
      let ended = try call([
        "--screenshot=\(target)", "--hide-scrollbars", "--window-size=\(width),\(height)", Self.setting(scheme),
        "file://\(path)",
      ])
      guard let data = FileManager.default.contents(atPath: target) else { throw Failure(output: ended.output) }
      if let folder = ProcessInfo.processInfo.environment["REACTOR_PAGES"] {
        try data.write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(name)-\(scheme)-\(width).png"))
      }
      return data
    }
  }

  struct Failure: Error {
    let output: String
  }

  private static func setting(_ scheme: Scheme) -> String {
    "--blink-settings=preferredColorScheme=\(scheme.rawValue)"
  }

  private func call(_ arguments: [String]) throws -> ForeignTool.Ended {
    // Bounded; the sandbox of the browser itself needs what containers do not give.
    try ForeignTool.run(
      "/usr/bin/env",
      [
        "timeout", "--kill-after=5", "60", program, "--headless", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--enable-logging=stderr", "--user-data-dir=\(profile.path)",
      ] + arguments)
  }
}
