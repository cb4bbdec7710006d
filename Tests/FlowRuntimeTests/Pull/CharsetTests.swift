import FlowTesting
import Foundation
import Testing
import TestSupport

/// JSON in the charset that its header declares.
@Suite struct CharsetTests {
  private static let text = #"[{"id":1,"name":"Müller € „x“"}]"#

  private static func response(_ body: Data, _ type: String) -> [ScriptedServer.Step] {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
    return [.send(Array(head.utf8) + Array(body))]
  }

  @Test(arguments: [
    (String.Encoding.windowsCP1252, "application/json; charset=windows-1252"),
    (.utf16LittleEndian, "application/json; charset=utf-16le"), (.utf16, "application/json; charset=\"UTF-16\""),
    // Servers that declare another charset by mistake.
    (.utf8, "application/json; charset=ISO-8859-1"), (.utf8, "application/json; charset=utf-16"),
    (.utf8, "application/json; charset=utf-8"),
  ])
  func `JSON is read in the charset of its header, and UTF-8 whatever the header says`(
    _ encoding: String.Encoding, _ type: String
  ) async throws {
    let body = try #require(Self.text.data(using: encoding))
    try await Rig.with(Self.response(body, type)) { rig in
      let run = await rig.run(try rig.flow(""))
      #expect(run.message == "")
      #expect(rig.result == "{\"id\":1,\"name\":\"Müller € „x“\"}\n")
    }
  }

  @Test func `text that is not UTF-8 is refused where no header says so`() async throws {
    let body = try #require(Self.text.data(using: .windowsCP1252))
    try await Rig.with(Self.response(body, "application/json")) { rig in
      let run = await rig.run(try rig.flow(""))
      #expect(run.message.contains("not valid UTF-8"), "\(run.message)")
      #expect(rig.files == [])
    }
  }
}
